-- The five algorithms: the same two questions, earliest and take, as dev.paceline.limit answers them in process, with
-- the same whole numbers. A double holds every whole number up to 2^53; what a client may configure stays below it.
--
-- A schedule is a table: kind ('g' generic cell rate, 'f' fixed window, 'z' the same at a zone's midnight, 's' sliding
-- counter, 'l' sliding log), cap (the largest cost), whole + part/over (the emission interval), period, bucket (the
-- guard's, for windows), and the state. Instants are microseconds of Redis' clock.

-- An instant that nothing reaches: the year 2255.
local FAR = 9000000000000000
local EXACT = 9007199254740992

local function floorDiv(a, b)
  local rest = math.fmod(a, b)
  if rest < 0 then
    rest = rest + b
  end
  return (a - rest) / b
end

local function ceilDiv(a, b)
  return -floorDiv(-a, b)
end

-- The generic cell rate algorithm: tat, rem (over `over`), last (the latest instant charged); no tat: never used.

local function arrival(s)
  return s.rem > 0 and s.tat + 1 or s.tat
end

-- The first instant at or after `at` that the arrival time is at most `slack` intervals ahead of.
local function conforming(s, at, slack)
  if not s.tat or arrival(s) <= at then
    return at
  end
  return math.max(at, s.tat - slack * s.whole + ceilDiv(s.rem - slack * s.part, s.over))
end

-- The most permits of which no product here exceeds 2^53.
local function farthest(s)
  return math.min(math.floor(EXACT / 2 / (s.whole + 1)), math.floor((EXACT - s.over) / s.over))
end

-- Where costs are settled (track), the least debt that recent charges found is kept over two stretches of time: as much
-- of an older charge can be given back without letting time be spent that had passed idle.

local function noteDebt(s, at, found)
  local d = s.debts
  if not d then
    s.debts = found > 0 and {since = at, least = found, priorSince = at, prior = found} or nil
  elseif at - d.since > math.floor(s.cap * s.pace / 2) + 1 then
    s.debts = {since = at, least = found, priorSince = d.since, prior = d.least}
  else
    d.least = math.min(d.least, found)
  end
end

-- A lower bound of the debt that any charge after an instant has found.
local function leastDebtAfter(d, instant)
  if not d or instant < d.priorSince then
    return 0
  end
  return instant >= d.since and d.least or math.min(d.least, d.prior)
end

local function gcraTake(s, at, cost)
  if not s.tat or arrival(s) < at then
    s.tat = at
    s.rem = 0
  end
  local inOrder = not s.last or at >= s.last
  if s.track then
    noteDebt(s, at, inOrder and math.max(0, s.tat - at) or 0)
  end
  if inOrder then
    s.last = at
  end
  local permits = math.min(cost, farthest(s))
  local parts = s.rem + permits * s.part
  s.rem = math.fmod(parts, s.over)
  s.tat = s.tat + permits * s.whole + (parts - s.rem) / s.over
  if s.tat > FAR then
    s.tat = FAR
    s.rem = 0
  end
end

-- Lowers the arrival time by a charge, but by no more than the least debt that any later charge found, and that there is
-- now; where that is not known, by what time has not yet paid of the charge, oldest charge first.
local function gcraGiveBack(s, chargedAt, permits)
  local count = math.min(permits, farthest(s))
  local parts = count * s.part
  local rest = math.fmod(parts, s.over)
  local span = count * s.whole + (parts - rest) / s.over
  local bound = FAR
  if s.last > chargedAt then
    local passed = math.max(now, s.last) - chargedAt
    bound = math.max(span - passed, leastDebtAfter(s.debts, chargedAt))
  end
  if now > s.last then
    bound = math.min(bound, s.tat - now)
  end
  bound = math.max(0, bound)
  if span + (rest > 0 and 1 or 0) > bound then
    span = bound
    rest = 0
  end
  s.tat = s.tat - span
  s.rem = s.rem - rest
  if s.rem < 0 then
    s.rem = s.rem + s.over
    s.tat = s.tat - 1
  end
  local d = s.debts
  if d then
    local lowered = span + (rest > 0 and 1 or 0)
    d.least = math.max(0, d.least - lowered)
    d.prior = math.max(0, d.prior - lowered)
  end
end

-- Takes up an arrival time of which nothing else is known; the last charge was one permit, so not before the real one.
local function gcraRestore(s, tat, rem)
  s.tat = tat
  s.rem = rem
  s.last = tat - s.whole + (rem > s.part and 1 or 0)
  s.debts = nil
end

-- Resumes at an instant at the pace: the first call there, the next an interval later.
local function gcraNotBefore(s, instant)
  local parts = (s.cap - 1) * s.part
  local rest = math.fmod(parts, s.over)
  local resumed = instant + (s.cap - 1) * s.whole + (parts - rest) / s.over
  if not s.tat then
    s.last = instant
  end
  if not s.tat or resumed > s.tat or (resumed == s.tat and rest > s.rem) then
    s.tat = resumed
    s.rem = rest
  end
end

-- Fixed windows: start, count, last; no start: never used. A window that was charged is not left backwards.

local function startOf(s, wall)
  if s.kind ~= 'z' then
    return wall - math.fmod(wall, s.period)
  end
  -- Of a zone only these boundaries are known; what is before them is over.
  return wall >= s.bounds[3] and s.bounds[3] or wall >= s.bounds[2] and s.bounds[2]
    or wall >= s.bounds[1] and s.bounds[1] or 0
end

local function endOf(s, wall)
  if s.kind ~= 'z' then
    return startOf(s, wall) + s.period
  end
  return wall < s.bounds[1] and s.bounds[1] or wall < s.bounds[2] and s.bounds[2]
    or wall < s.bounds[3] and s.bounds[3] or FAR
end

local function wallAt(s, at)
  return s.start and math.max(at, s.start) or at
end

local function counted(s, wall)
  return s.start == startOf(s, wall) and s.count or 0
end

local function fixedEarliest(s, at, cost)
  local wall = wallAt(s, at)
  return counted(s, wall) + cost <= s.cap and wall or endOf(s, wall)
end

local function fixedTake(s, at, cost)
  local wall = wallAt(s, at)
  local already = counted(s, wall)
  s.start = startOf(s, wall)
  s.count = math.min(already + cost, EXACT)
  s.last = s.last and math.max(s.last, at) or at
end

-- Sliding counter: start, current, previous, last. A cost conforms e into a window of P if
-- previous * (P - e) + (current + cost) * P <= permits * P.

local function currentAt(s, window)
  return s.start == window and s.current or 0
end

local function previousAt(s, window)
  if not s.start then
    return 0
  end
  return window == s.start and s.previous or window - s.start == s.period and s.current or 0
end

local function slidingFrom(s, current, previous, cost)
  local free = s.cap - current - cost
  if free < 0 then
    return s.period
  end
  return previous == 0 and 0 or math.max(0, s.period - floorDiv(free * s.period, previous))
end

local function slidingEarliest(s, at, cost)
  local wall = wallAt(s, at)
  local window = startOf(s, wall)
  local here = slidingFrom(s, currentAt(s, window), previousAt(s, window), cost)
  if here < s.period then
    return math.max(wall, window + here)
  end
  return window + s.period + slidingFrom(s, 0, currentAt(s, window), cost)
end

local function slidingMost(s)
  return math.floor(EXACT / s.period)
end

local function slidingTake(s, at, cost)
  local window = startOf(s, wallAt(s, at))
  local already, before = currentAt(s, window), previousAt(s, window)
  s.start = window
  s.previous = before
  s.current = math.min(already + cost, slidingMost(s))
  s.last = s.last and math.max(s.last, at) or at
end

-- Sliding log: at[i], n[i], oldest first, one run for all charges of one instant; sum is the total of n.

local function logFrom(s, at)
  return #s.at > 0 and math.max(at, s.at[#s.at]) or at
end

-- The first run that the window ending at `at` still holds, and the total that has left it.
local function logGone(s, at)
  local i, gone = 1, 0
  while i <= #s.at and at - s.at[i] >= s.period do
    gone = gone + s.n[i]
    i = i + 1
  end
  return i, gone
end

local function logEarliest(s, at, cost)
  local from = logFrom(s, at)
  local i, gone = logGone(s, from)
  local surplus = s.sum - gone + cost - s.cap
  if surplus <= 0 then
    return from
  end
  while surplus > s.n[i] do
    surplus = surplus - s.n[i]
    i = i + 1
  end
  return math.max(from, s.at[i] + s.period)
end

local function logTake(s, at, cost)
  local from = logFrom(s, at)
  local first = logGone(s, from)
  if first > 1 then
    local keptAt, keptN, sum = {}, {}, 0
    for i = first, #s.at do
      keptAt[#keptAt + 1] = s.at[i]
      keptN[#keptN + 1] = s.n[i]
      sum = sum + s.n[i]
    end
    s.at, s.n, s.sum = keptAt, keptN, sum
  end
  local newest = #s.at
  if s.at[newest] ~= from then
    newest = newest + 1
    s.at[newest] = from
    s.n[newest] = 0
  end
  local more = math.min(cost, EXACT - s.sum)
  s.n[newest] = s.n[newest] + more
  s.sum = s.sum + more
end

-- All kinds alike.

local EARLIEST = {
  g = function(s, at, cost) return conforming(s, at, s.cap - cost) end,
  f = fixedEarliest, z = fixedEarliest, s = slidingEarliest, l = logEarliest,
}
local TAKE = {g = gcraTake, f = fixedTake, z = fixedTake, s = slidingTake, l = logTake}

local function earliestOf(s, at, cost)
  local start = EARLIEST[s.kind](s, at, cost)
  return s.bucket and math.max(start, conforming(s.bucket, at, s.cap - cost)) or start
end

local function takeOf(s, at, cost)
  TAKE[s.kind](s, at, cost)
  if s.bucket then
    gcraTake(s.bucket, at, cost)
  end
end

-- The permits charged that still count now, rounded up: what is carried over to another algorithm or window. Of a bucket,
-- what counts once a cooldown is over.
local function debtOf(s, held)
  if s.kind == 'g' then
    if not s.tat or arrival(s) <= held then
      return 0
    end
    return math.ceil(((s.tat - held) + s.rem / s.over) / (s.whole + s.part / s.over))
  elseif s.kind == 'l' then
    local _, gone = logGone(s, logFrom(s, now))
    return s.sum - gone
  elseif not s.start then
    return 0
  elseif s.kind == 's' then
    local wall = wallAt(s, now)
    local window = startOf(s, wall)
    return currentAt(s, window) + math.ceil(previousAt(s, window) * (window + s.period - wall) / s.period)
  end
  return now < s.start + s.period and s.count or 0
end

-- The instant from which nothing that was charged counts any more.
local function fullAt(s)
  local full = 0
  if s.kind == 'g' then
    full = s.tat and arrival(s) or 0
  elseif s.kind == 'l' then
    full = #s.at > 0 and s.at[#s.at] + s.period or 0
  elseif s.start and s.kind == 's' then
    full = s.start + (s.current > 0 and 2 or s.previous > 0 and 1 or 0) * s.period
  elseif s.start then
    full = endOf(s, s.start)
    if full == FAR then
      -- Past the known boundaries of a zone; one of its days may have an hour more.
      full = s.start + s.period + 3600000000
    end
  end
  if s.bucket and s.bucket.tat then
    full = math.max(full, arrival(s.bucket))
  end
  return full
end
