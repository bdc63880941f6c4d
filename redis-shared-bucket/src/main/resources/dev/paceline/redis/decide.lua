-- Reads the groups, restores what was lost, makes the changes, reserves, writes. All is computed before anything is
-- written, since a script that fails half way is not taken back.

local groups = {}
if A[1] == 'g' then
  groups[1] = readPlain(KEYS[1])
else
  for i, key in ipairs(KEYS) do
    groups[i] = readGroup(key)
  end
end

local outside = false
for i, g in ipairs(groups) do
  restore(g, i == 1 and stored or i > 1 and redis.call('GET', g.key))
  local wall = stale(g)
  g.reply = {5, g.trouble, '', wall or now}
  outside = outside or wall
end

local function answer(g, kind, extra)
  g.reply = {kind, 0, '', extra}
end

-- A run of starts within one quantum of the first.
local function run(g, first)
  answer(g, 1)
  local start = first
  local n = 0
  while start and n < g.permits and start - first <= g.quantum do
    take(g, start)
    n = n + 1
    g.reply[n + 3] = start - now
    start = earliest(g, start)
  end
  if g.ahead > 0 and n == g.permits and g.reply[n + 3] == 0 then
    local more = takeAhead(g)
    if more > 0 then
      g.reply[n + 4] = -more
    end
  end
end

-- Several groups start together within the first one's quantum, or not at all.
local function together()
  local start, never, latest = now, false, groups[1].quantum
  for _, g in ipairs(groups) do
    g.first = earliest(g, from(g))
    never = never or not g.first
    start = math.max(start, g.first or 0)
    latest = math.min(latest, g.latest)
  end
  local charged = not never and start - now <= latest
  for _, g in ipairs(groups) do
    if charged then
      answer(g, 1, start - now)
      take(g, start)
    else
      answer(g, g.first and 2 or 3, g.first and g.first - now)
    end
  end
end

local function decide()
  local change
  for _, g in ipairs(groups) do
    if g.adopted and from(g) > now then
      change = change or changesByLetter()
      change.n(g)
    end
    for _, v in ipairs(g.changes) do
      change = change or changesByLetter()
      change[v.letter](g, v)
      g.dirty = true
    end
  end
  local g = groups[1]
  if #groups > 1 then
    together()
  elseif g.permits == 0 then
    answer(g, 4)
  else
    local first = earliest(g, from(g))
    if not first then
      answer(g, 3)
    elseif first - now > g.latest then
      answer(g, 2, first - now)
    else
      run(g, first)
    end
  end
end

local function write()
  for _, g in ipairs(groups) do
    g.reply[2] = g.trouble
    g.reply[3] = textOf(g, true)
    if g.dirty then
      local life = lifetime(g)
      if g.longer or g.trouble == TROUBLE.LIMITS_DIFFER then
        -- A worker with other limits may still count on what it wrote.
        life = math.max(life, redis.call('PTTL', g.key))
      end
      redis.call('SET', g.key, g.logged and textOf(g, false) or g.reply[3], 'PX', life)
    end
  end
  for _, message in ipairs(messages) do
    redis.pcall('PUBLISH', A[4], message)
  end
end

if not outside then
  decide()
  write()
end
if #groups == 1 then
  return {A[2], unpack(groups[1].reply)}
end
local replies = {A[2]}
for i, g in ipairs(groups) do
  replies[i + 1] = g.reply
end
return replies
