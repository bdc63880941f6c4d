-- A stored state is text: `generation written limit|limit;extra;extra`, where `written` is when it was last written and
-- all other instants are relative to that. A limit is one of
--   n                                            never used
--   tat remainder ahead pace                     ahead of the last charge, less an interval; pace: whole, or
--                                                whole+part/over; where costs are settled, with ~since least
--                                                prior-since prior: the least debt of two stretches of time
--   fstart count last period   zstart count last period   sstart current previous last period
--   lperiod first:count,gap:count,...            a log, oldest first
-- and for a window under a guard / and an arrival in the guarded pace follows. An extra is one of
--   cuntil   a cooldown         uextra   the guard         olimit from until tat remainder pace   an overlay
--   kuntil   lowered: a floor of an older generation may reach as far
--   mat moved who own   the last move of the schedule by late sends, of whom, and what that one reported of it
-- A number is only ever written by %d; Lua's own conversion would keep 14 digits.

local TROUBLE = {NONE = 0, LIMITS_DIFFER = 1, STATE_LOST = 2, CLOCK_STEPPED = 3, JUNK = 4}

local function note(g, trouble)
  g.trouble = math.max(g.trouble, TROUBLE[trouble])
end

-- Numbers of a text by a pattern; nil if it does not match or holds an impossible one.
local function numbers(text, pattern)
  local found = {string.match(text, pattern)}
  if not found[1] then
    return nil
  end
  for i = 1, #found do
    found[i] = found[i] + 0
    if math.abs(found[i]) > FAR then
      return nil
    end
  end
  return found
end

local function paceOf(text)
  return numbers(text, '^(%d+)%+(%d+)/(%d+)$') or numbers(text .. ' 0 1', '^(%d+) (%d+) (%d+)$')
end

local function paceText(whole, part, over)
  return part > 0 and string.format('%d+%d/%d', whole, part, over) or string.format('%d', whole)
end

-- A schedule from its text, in the terms in which it was stored; nil for junk.
local function parseGcra(base, text)
  local plain, debts = string.match(text, '^([^~]*)~?(.*)$')
  local found = numbers(plain, '^(-?%d+) (%d+) (-?%d+) ')
  local pace = paceOf(string.match(plain, '(%S+)$') or '')
  if not found or not pace or pace[3] < 1 or found[2] >= pace[3] then
    return nil
  end
  local s = {kind = 'g', whole = pace[1], part = pace[2], over = pace[3], tat = base + found[1], rem = found[2]}
  s.last = s.tat - found[3] - pace[1]
  local d = debts ~= '' and numbers(debts, '^(-?%d+) (%d+) (-?%d+) (%d+)$')
  if d then
    s.debts = {since = base + d[1], least = d[2], priorSince = base + d[3], prior = d[4]}
  end
  return s
end

local function parseLog(base, text)
  local period, runs = string.match(text, '^l(%d+) ([%d:,-]+)$')
  if not period then
    return nil
  end
  local s = {kind = 'l', period = period + 0, at = {}, n = {}, sum = 0}
  local at = base
  for gap, count in string.gmatch(runs, '(-?%d+):(%d+)') do
    at = at + gap
    s.at[#s.at + 1] = at
    s.n[#s.n + 1] = count + 0
    s.sum = s.sum + count
  end
  return #s.at > 0 and s or nil
end

local function parseWindow(base, text, written)
  local s, kind = nil, string.sub(text, 1, 1)
  if kind == 's' then
    local found = numbers(text, '^s(-?%d+) (%d+) (%d+) (-?%d+) (%d+)$')
    s = found and {start = found[1], current = found[2], previous = found[3], last = found[4], period = found[5]}
  elseif kind == 'f' or kind == 'z' then
    local found = numbers(text, '^[fz](-?%d+) (%d+) (-?%d+) (%d+)$')
    s = found and {start = found[1], count = found[2], last = found[3], period = found[4]}
  end
  if not s or s.period < 1 then
    return nil
  end
  s.kind = kind
  s.start = written + s.start
  s.last = base + s.last
  -- A clock that stepped back by a period or more takes the count along, to the window of the last charge.
  if kind ~= 'z' and written - base >= s.period then
    s.start = startOf(s, s.last)
  end
  return s
end

-- Puts a stored schedule into the terms of the caller's limit: debt is kept in permits.
local function adopt(g, s, old)
  local same = old.kind == s.kind and (s.kind == 'g' or old.period == s.period)
  -- The time of a cooldown is not owed in permits.
  local held = math.max(now, g.c or 0)
  if not same then
    note(g, 'LIMITS_DIFFER')
    g.adopted = true
    local debt = debtOf(old, held)
    if debt > 0 then
      TAKE[s.kind](s, now, debt)
    end
    return
  end
  for _, field in ipairs({'tat', 'rem', 'last', 'debts', 'start', 'count', 'current', 'previous', 'at', 'n', 'sum'}) do
    s[field] = old[field]
  end
  if s.kind == 'z' and s.start >= s.bounds[1] then
    s.start = startOf(s, s.start)
  end
  if s.kind ~= 'g' or (old.whole == s.pace and old.part == s.part and old.over == s.over) then
    return
  end
  s.tat, s.rem, s.debts = arrival(old), 0, nil
  g.adopted = true
  if s.tat <= held then
    return
  end
  note(g, 'LIMITS_DIFFER')
  local ratio = (s.pace + s.part / s.over) / (old.whole + old.part / old.over)
  if ratio > 1 then
    -- Nor is it owed that there is no burst after a cooldown (of the caller's size, since the old one is not known).
    local burst = held > now and s.cap - 1 or 0
    local debt = math.max(0, s.tat - held - math.ceil(burst * (old.whole + old.part / old.over)))
    -- Slower: rescaled at once. Doubles are exact to one part in 2^52, and a microsecond more rounds up.
    local resumed = held + math.ceil(burst * (s.pace + s.part / s.over))
    s.tat = math.min(FAR, resumed + math.ceil(debt * ratio * (1 + 2 ^ -50)))
  else
    -- Merely faster: the old debt stands, and the slower pace stays on record for those who still keep it.
    s.recorded = {whole = old.whole, part = old.part, over = old.over, ratio = ratio}
  end
end

local PARSE = {
  g = parseGcra,
  l = parseLog,
  f = parseWindow,
  z = parseWindow,
  s = parseWindow,
}

-- Reads one limit into the caller's schedule, or only checks it where the caller has no such limit; false for junk.
local function parseLimit(g, s, base, written, text)
  local main, bucket = string.match(text, '^([nfzsl][^/]*)/?(.*)$')
  if not main then
    main, bucket = text, ''
  end
  if main ~= 'n' then
    local kind = string.match(main, '^[fzsl]') or 'g'
    local old = PARSE[kind](base, main, written)
    if not old then
      return false
    end
    if s then
      s.stored = old.start
      adopt(g, s, old)
    end
  end
  if s and bucket ~= '' then
    s.bucketState = parseGcra(base, bucket)
  end
  return true
end

local function parseExtra(g, base, text)
  local kind, rest = string.sub(text, 1, 1), string.sub(text, 2)
  if kind == 'o' then
    local found = numbers(rest, '^(%d+) (-?%d+) (-?%d+) (-?%d+) (%d+) ')
    local pace = paceOf(string.match(rest, '(%S+)$') or '')
    if not found or not pace then
      return false
    end
    g.overlay = {
      limit = found[1], from = base + found[2], til = base + found[3], tat = base + found[4], rem = found[5],
      whole = pace[1], part = pace[2], over = pace[3],
    }
  elseif kind == 'm' then
    local at, moved, who, own = string.match(rest, '^(-?%d+) (%d+) (%w+) (%d+)$')
    g.late = at and {at = base + at, moved = moved + 0, who = who, own = own + 0}
  else
    local found = numbers(rest, '^(-?%d+)$')
    if not found or not string.find(kind, '[cuk]') then
      return false
    end
    g[kind] = kind == 'u' and found[1] or base + found[1]
  end
  return true
end

-- Fills a group from what is stored; false for junk.
local function parse(g, stored)
  local generation, written, limits, extras = string.match(stored, '^(%d+) (%d+) ([^;]+)(.*)$')
  if not generation or generation + 0 > FAR or written + 0 > FAR then
    return false
  end
  g.generation = generation + 0
  g.written = written + 0
  -- Everything is relative to when it was written: after a step back of the clock, to now.
  local base = math.min(g.written, now)
  if g.written - now > 100000 then
    note(g, 'CLOCK_STEPPED')
  end
  for text in string.gmatch(extras, '[^;]+') do
    if not parseExtra(g, base, text) then
      return false
    end
  end
  local i = 0
  for text in string.gmatch(limits, '[^|]+') do
    i = i + 1
    if not parseLimit(g, g[i], base, g.written, text) then
      return false
    end
  end
  if i ~= #g then
    note(g, 'LIMITS_DIFFER')
    g.longer = i > #g
  end
  return true
end

local function arrivalText(s, whole, part, over)
  local text = string.format('%d %d %d ', s.tat - now, s.rem, s.tat - s.last - whole) .. paceText(whole, part, over)
  local d = s.track and s.debts
  if d then
    text = text .. string.format('~%d %d %d %d', d.since - now, d.least, d.priorSince - now, d.prior)
  end
  return text
end

local function limitText(s, brief)
  if s.kind == 'g' then
    if not s.tat then
      return 'n'
    end
    local r = s.recorded
    if r then
      s.tat = arrival(s)
      s.rem = 0
      return arrivalText(s, r.whole, r.part, r.over)
    end
    return arrivalText(s, s.pace, s.part, s.over)
  end
  local text = 'n'
  if s.kind == 'l' and #s.at > 0 then
    local runs, before = {}, now
    if brief then
      local _, gone = logGone(s, s.at[#s.at])
      runs[1] = string.format('%d:%d', s.at[#s.at] - now, s.sum - gone)
    else
      for i = 1, #s.at do
        runs[i] = string.format('%d:%d', s.at[i] - before, s.n[i])
        before = s.at[i]
      end
    end
    text = string.format('l%d %s', s.period, table.concat(runs, ','))
  elseif s.start and s.kind == 's' then
    text = string.format('s%d %d %d %d %d', s.start - now, s.current, s.previous, s.last - now, s.period)
  elseif s.start then
    text = string.format('%s%d %d %d %d', s.kind, s.start - now, s.count, s.last - now, s.period)
  end
  if s.bucket and s.bucket.tat then
    text = text .. '/' .. arrivalText(s.bucket, s.bucket.whole, s.bucket.part, s.bucket.over)
  end
  return text
end

-- The text of a group; brief, as a worker's floor needs it, has a log's count at its newest instant only.
local function textOf(g, brief)
  local limits = {}
  for i, s in ipairs(g) do
    limits[i] = limitText(s, brief)
  end
  local text = string.format('%d %d ', g.generation, now) .. table.concat(limits, '|')
  if g.c and g.c > now then
    text = text .. string.format(';c%d', g.c - now)
  end
  if g.u > 0 then
    text = text .. string.format(';u%d', g.u)
  end
  local o = g.overlay
  if o and o.til > now then
    text = text .. string.format(';o%d %d %d %d %d ', o.limit, o.from - now, o.til - now, o.tat - now, o.rem)
      .. paceText(o.whole, o.part, o.over)
  end
  if g.k and g.k > now then
    text = text .. string.format(';k%d', g.k - now)
  end
  local m = g.late
  if m and now - m.at < 1000000 and now >= m.at then
    text = text .. string.format(';m%d %d %s %d', m.at - now, m.moved, m.who, m.own)
  end
  return text
end

-- How long the state must live, in whole milliseconds: until it is as good as new, and the margin.
local function lifetime(g)
  local full = math.max(now, g.c or 0, g.k or 0, g.overlay and g.overlay.til or 0)
  for _, s in ipairs(g) do
    full = math.max(full, fullAt(s))
  end
  return math.ceil((math.min(full, FAR) - now) / 1000) + margin + (g.u > 0 and 30000 or 0)
end
