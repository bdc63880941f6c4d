-- What is asked, as it was sent, and the state it meets: the stored one, with what this worker remembers and the store
-- has lost.
--
-- KEYS  the groups, all of one owner and so of one slot
-- ARGV  1 'a'   2 a number that the reply repeats   3 the worker   4 the channel, then for each group
--       permits wanted (0: changes only), permits wanted ahead, quantum, latest start from now, generation, age of the floor ('' for unknown),
--       number of limits, number of changes, the limits, the changes. A limit is
--         kind, cost, capacity, whole, part, over, period, 't' where costs are settled, floor ('' for none),
--       and for 'z' three boundaries.
--       A change is a letter and its values: see CHANGE below.
-- Replies {number, kind, trouble, state, start from now, ...}, for several groups {number, {kind, ...}, {kind, ...}}.
-- One permit of the usual case is one line, {'number start state'} (plain.lua).
-- After a start, a number below zero says how many more there are at that instant (of the wanted ones only plain.lua tells them so).
-- Kinds: 1 reserved; 2 too late, with the earliest start; 3 never; 4 changed; 5 stale: boundaries are wanted around what
-- follows, an instant.

-- Emission intervals with the guard in them.
local function setGuard(g, extra)
  g.u = math.min(extra, 3600000000)
  for _, s in ipairs(g) do
    if s.kind == 'g' then
      s.whole = s.pace + g.u
    elseif g.u == 0 then
      s.bucket = nil
    else
      -- A window has no interval; under a guard it is also a token bucket that refills at the guarded pace.
      local b, known = s.bucket, s.bucketState
      if not b then
        b = {kind = 'g', part = s.part, over = s.over, cap = s.cap, pace = s.pace, track = s.track}
        if known and known.over == b.over then
          b.tat, b.rem, b.last, b.debts = known.tat, known.rem, known.last, known.debts
        end
        s.bucket, s.bucketState = b, nil
      end
      b.whole = s.pace + g.u
    end
  end
end

local cursor = 4

local function following()
  cursor = cursor + 1
  return A[cursor]
end

local function number()
  return following() + 0
end

local CHANGE_VALUES = {c = 1, x = 0, m = 1, s = 1, o = 6, u = 1, d = 2, r = 0}

local function readLimit()
  local s = {kind = following(), cost = number(), cap = number(), pace = number(), part = number(), over = number()}
  s.whole = s.pace
  s.period = number()
  s.track = following() == 't'
  s.floor = following()
  if s.kind == 'z' then
    s.bounds = {number(), number(), number()}
  elseif s.kind == 'l' then
    s.at, s.n, s.sum = {}, {}, 0
  end
  return s
end

local function readChange(limits)
  local change = {letter = following()}
  for i = 1, CHANGE_VALUES[change.letter] do
    change[i] = number()
  end
  if change.letter == 's' or change.letter == 'd' then
    change.costs = {}
    for i = 1, limits do
      change.costs[i] = number()
    end
  end
  return change
end

local function readGroup(key)
  local g = {
    key = key, permits = number(), ahead = number(), quantum = number(), latest = number(), known = number(),
    age = following(),
  }
  local limits, changes = number(), number()
  for i = 1, limits do
    g[i] = readLimit()
    g.logged = g.logged or g[i].kind == 'l'
  end
  g.changes = {}
  for i = 1, changes do
    g.changes[i] = readChange(limits)
  end
  return g
end

-- The usual case's arguments, where the case was not the usual one.
local function readPlain(key)
  local s = {
    kind = 'g', cost = A[6] + 0, cap = A[9] + 0, pace = A[8] + 0, part = (A[15] or 0) + 0, over = (A[16] or 1) + 0,
    floor = A[11] == '' and '' or A[11] .. ' ' .. A[12],
  }
  s.whole = s.pace
  return {
    s, key = key, permits = A[3] + 0, ahead = A[14] + 0, quantum = A[4] + 0, latest = A[5] + 0, known = A[10] + 0,
    age = A[13], changes = {},
  }
end

-- Merges one limit's floor: whether that changed the state, and whether debt came back that the store had lost.
local function mergeLimit(s)
  if s.floor == '' then
    return false, false
  end
  if s.kind == 'g' then
    local f = numbers(s.floor, '^(-?%d+) (%d+)$')
    local tat, rem = now + f[1], math.min(f[2], s.over - 1)
    if not s.tat or tat > s.tat or (tat == s.tat and rem > s.rem) then
      gcraRestore(s, tat, rem)
      -- Paid by now, it is only sent with charges of the time before; so long the key would have lived.
      return true, arrival(s) > now - margin * 1000
    end
  elseif s.kind == 'l' then
    local f = numbers(s.floor, '^(-?%d+) (%d+)$')
    local newest = logFrom(s, now + f[1])
    local _, gone = logGone(s, newest)
    local more = f[2] - (s.sum - gone)
    if more > 0 then
      logTake(s, newest, more)
      return true, now - newest < s.period
    end
  elseif s.kind == 's' then
    local f = numbers(s.floor, '^(%d+) (%d+) (%d+)$')
    local start = startOf(s, f[1])
    if not s.start or start > s.start then
      s.start, s.current, s.previous, s.last = start, f[2], f[3], start
      return true, fullAt(s) > now
    elseif start == s.start and (f[2] > s.current or f[3] > s.previous) then
      s.current, s.previous = math.max(s.current, f[2]), math.max(s.previous, f[3])
      return true, fullAt(s) > now
    end
  else
    local f = numbers(s.floor, '^(%d+) (%d+)$')
    if not s.start or f[1] > s.start or (f[1] == s.start and f[2] > s.count) then
      s.start, s.count, s.last = f[1], f[2], f[1]
      return true, f[2] > 0 and fullAt(s) > now
    end
  end
  return false, false
end

local function forget(s)
  s.tat, s.rem, s.last, s.debts, s.start, s.recorded, s.bucketState = nil, nil, nil, nil, nil, nil, nil
  if s.kind == 'l' then
    s.at, s.n, s.sum = {}, {}, 0
  end
end

-- State and floor are pairs of a generation and a value, and the greater wins; within a generation debt only grows.
local function mergeFloor(g, absent)
  if g.known < g.generation then
    return
  end
  local newer = g.known > g.generation
  if newer then
    g.generation = g.known
    if not absent then
      g.c = nil
      for _, s in ipairs(g) do
        forget(s)
        s.bucket = nil
      end
      setGuard(g, g.u)
    end
  end
  local restored = false
  for _, s in ipairs(g) do
    local changed, lost = mergeLimit(s)
    g.dirty = g.dirty or changed
    restored = restored or lost
  end
  -- What others gave back makes a floor a little high; lost is what this worker saw written and is not there.
  local missed = g.age ~= '' and not absent and g.written < now - g.age - 100000
  if (newer and not absent) or (restored and (absent or missed)) then
    note(g, 'STATE_LOST')
  end
end

local function restore(g, text)
  g.trouble, g.generation, g.u = 0, 1, 0
  local absent = not text
  if text and not parse(g, text) then
    absent = true
    note(g, 'JUNK')
    g.generation, g.u, g.c, g.k, g.overlay, g.late = 1, 0, nil, nil, nil, nil
    for _, s in ipairs(g) do
      forget(s)
    end
  end
  setGuard(g, g.u)
  mergeFloor(g, absent)
end
