-- A group as a whole: when a call starts, what it charges, and what else can be done to its schedule.

local function from(g)
  return g.c and g.c > now and g.c or now
end

-- The wall instant that lies outside a zone's known boundaries; nil if none does.
local function stale(g)
  for _, s in ipairs(g) do
    if s.kind == 'z' then
      local wall = math.max(from(g), s.stored or 0, s.start or 0)
      if wall < s.bounds[1] or wall >= s.bounds[3] then
        return wall
      end
    end
  end
  return nil
end

local function earliest(g, at)
  local start = at
  for _, s in ipairs(g) do
    if s.cost > 0 then
      if s.cost > s.cap then
        return nil
      end
      start = math.max(start, earliestOf(s, at, s.cost))
    end
  end
  local o = g.overlay
  if o and at < o.til and (o.limit == 0 or g[o.limit] and g[o.limit].cost > 0) then
    start = math.max(start, math.min(o.til, conforming(o, at, 0)))
  end
  return start
end

local function take(g, at)
  for _, s in ipairs(g) do
    if s.cost > 0 then
      takeOf(s, at, s.cost)
    end
  end
  local o = g.overlay
  local cost = o and (o.limit == 0 and 1 or g[o.limit] and g[o.limit].cost) or 0
  if cost > 0 and at < o.til then
    gcraTake(o, at, cost)
  end
  g.dirty = true
end

-- Permits for callers who are expected within the quantum, where all limits have a burst: charged as if they left at its
-- end, from half of what the burst would still hold then. Returns how many.
local function takeAhead(g)
  local lapse, count = now + g.quantum, g.overlay and 0 or g.ahead
  for _, s in ipairs(g) do
    if s.kind ~= 'g' then
      return 0
    elseif s.cost > 0 then
      local tat, rem = lapse, 0
      if s.tat and s.tat >= lapse then
        tat, rem = s.tat, s.rem
      end
      local interval = s.whole * s.over + s.part
      local half = (s.cap * interval - (tat - now) * s.over - rem) / 2
      if half >= EXACT / 2 then
        return 0
      end
      count = math.min(count, floorDiv(half, interval * s.cost))
    end
  end
  if count < 1 then
    return 0
  end
  for _, s in ipairs(g) do
    if s.cost > 0 then
      if s.tat < lapse then
        s.tat, s.rem = lapse, 0
      end
      gcraTake(s, now, count * s.cost)
    end
  end
  return count
end

local messages = {}

-- Changes, by their letter: what is lowered raises the generation, so that no worker's floor brings it back. Made where
-- there are any, for a function that nobody calls costs its making all the same.
local function changesByLetter()
  local function publish(...)
    messages[#messages + 1] = string.format(...)
  end

  local function lowered(g)
    g.generation = g.generation + 1
    g.k = math.max(g.k or 0, now + (lifetime(g) - margin) * 1000)
  end

  local function slower(a, b)
    return a.whole > b.whole or (a.whole == b.whole and a.part * b.over > b.part * a.over)
  end

  local function impose(g, limit, first, til, whole, part, over)
    local o = {limit = limit, from = first, til = til, tat = first, rem = 0, whole = whole, part = part, over = over}
    local old = g.overlay
    if not old or first >= old.til then
      g.overlay = o
    elseif slower(o, old) then
      -- No start comes sooner than the old one would have let it.
      o.tat = math.max(first, arrival(old))
      g.overlay = o
    end
  end

  -- After a cooldown the schedule resumes at its pace, without a saved burst; windows do at their shortest one's, for a
  -- period but no more than a minute.
  local function notBefore(g, instant)
    local paced, shortest = false, 1
    for i, s in ipairs(g) do
      if s.kind == 'g' then
        gcraNotBefore(s, instant)
        paced = true
      end
      -- Of the usual case, a bucket, no period was sent.
      if s.kind ~= 'g' and s.period < g[shortest].period then
        shortest = i
      end
    end
    if not paced then
      local s = g[shortest]
      impose(g, shortest, instant, instant + math.min(s.period, 60000000), s.pace, s.part, s.over)
    end
  end

  local function adjust(s, chargedAt, delta)
    if s.kind == 'g' then
      if delta > 0 then
        gcraTake(s, now, delta)
      elseif s.tat then
        gcraGiveBack(s, chargedAt, -delta)
      end
    elseif s.kind == 'l' then
      if delta > 0 then
        logTake(s, now, delta)
      elseif now - chargedAt < s.period then
        for i = 1, #s.at do
          if s.at[i] == chargedAt then
            local less = math.min(s.n[i], -delta)
            s.n[i] = s.n[i] - less
            s.sum = s.sum - less
          end
        end
      end
    elseif s.start then
      local window = startOf(s, chargedAt)
      if s.kind ~= 's' then
        s.count = window == s.start and math.max(0, math.min(s.count + delta, EXACT)) or s.count
      elseif window == s.start then
        s.current = math.max(0, math.min(s.current + delta, slidingMost(s)))
      elseif s.start - window == s.period then
        s.previous = math.max(0, math.min(s.previous + delta, slidingMost(s)))
      end
    end
    if s.bucket then
      adjust(s.bucket, chargedAt, delta)
    end
  end

  local CHANGE = {}

  -- A cooldown, in microseconds: kept if longer than what is known.
  function CHANGE.c(g, v)
    local til = now + v[1]
    if til > from(g) then
      g.c = til
      notBefore(g, til)
      publish('c %d %d %s %s', g.generation, v[1], A[3], g.key)
    end
  end

  -- Resumes once more after a cooldown, for limits that are new to it.
  function CHANGE.n(g)
    notBefore(g, from(g))
  end

  -- The end of a cooldown by hand: what was reserved behind it moves to now.
  function CHANGE.x(g)
    lowered(g)
    if from(g) > now then
      local less = g.c - now
      for _, s in ipairs(g) do
        if s.tat and s.tat >= g.c then
          s.tat, s.last = s.tat - less, math.max(now, s.last - less)
          local d = s.debts
          if d then
            d.least, d.prior = math.max(0, d.least - less), math.max(0, d.prior - less)
          end
        end
      end
      local o = g.overlay
      if o and o.from >= g.c then
        o.from, o.til, o.tat = o.from - less, o.til - less, o.tat - less
      end
    end
    g.c = nil
    publish('c %d 0 %s %s', g.generation, A[3], g.key)
  end

  -- Late sends, in microseconds. A stretch of lateness reaches back from its report by as much as was late; what one worker
  -- reports within a stretch adds up, and the workers' sums merge by max, since they were late together.
  function CHANGE.m(g, v)
    local m = g.late
    if not m or now - v[1] > m.at or now < m.at then
      m = {moved = 0, who = A[3], own = 0}
    end
    local own = (m.who == A[3] and m.own or 0) + v[1]
    local move = math.max(0, own - m.moved)
    g.late = {at = now, moved = m.moved + move, who = A[3], own = own}
    if move > 0 then
      for _, s in ipairs(g) do
        if s.tat then
          s.tat = math.min(FAR, s.tat + move)
        end
      end
      if g.overlay then
        g.overlay.tat = math.min(FAR, g.overlay.tat + move)
      end
      publish('m %d %s %s', move, A[3], g.key)
    end
  end

  -- Settles what was charged so long ago by a delta for each limit.
  function CHANGE.s(g, v)
    for i, s in ipairs(g) do
      if v.costs[i] ~= 0 then
        adjust(s, now - v[1], v.costs[i])
      end
    end
  end

  -- One more limit for a while: of which limit's cost (0: one a call), whether it holds all, for how long, its interval.
  function CHANGE.o(g, v)
    local til = now + v[3]
    impose(g, v[1], v[2] == 1 and til or now, til, v[4], v[5], v[6])
  end

  -- The guard.
  function CHANGE.u(g, v)
    setGuard(g, v[1])
  end

  -- Of what has been sent by an instant no more debt is left there than a burst. Where others have charged at a later
  -- instant meanwhile, the time before it counts as idle, and all that was sent in it would be added behind.
  local function gcraCharge(s, at, last, cost)
    local most, rest = s.tat, s.rem
    gcraTake(s, at, cost)
    local parts = s.cap * s.part
    local boundRest = math.fmod(parts, s.over)
    local bound = last + s.cap * s.whole + (parts - boundRest) / s.over
    if not most or bound > most then
      most, rest = bound, boundRest
    end
    if s.tat > most or (s.tat == most and s.rem > rest) then
      s.tat, s.rem, s.debts = most, rest, nil
    end
  end

  -- What was sent elsewhere, begun so long ago, the last of it so long ago.
  function CHANGE.d(g, v)
    local at, last = now - v[1], now - v[2]
    for i, s in ipairs(g) do
      local cost = math.min(v.costs[i], EXACT)
      if cost > 0 and s.kind == 'g' then
        gcraCharge(s, at, last, cost)
      elseif cost > 0 then
        takeOf(s, at, cost)
      end
    end
    local o = g.overlay
    if o and at < o.til then
      local cost = o.limit == 0 and 1 or v.costs[o.limit] or 0
      if cost > 0 then
        gcraTake(o, at, math.min(cost, EXACT))
      end
    end
  end

  -- The limits were changed on purpose: what is stored in a slower pace is rescaled down too.
  function CHANGE.r(g)
    lowered(g)
    local at = from(g)
    for _, s in ipairs(g) do
      if s.recorded then
        s.tat = at + math.max(0, math.ceil((s.tat - at) * s.recorded.ratio))
        s.rem = 0
        s.recorded = nil
      end
    end
  end

  return CHANGE
end
