-- Slots for calls in flight. A worker that finds none free is noted in a line; whoever comes next hands free slots to the
-- front of it, so that a release wakes the worker that waits longest and nobody polls.
--
-- KEYS  1 the leases, by when they expire   2 the waiting workers, by since when; both of one owner
-- ARGV  1 a number that the reply repeats   2 what: take, back, keep or leave   3 the worker   4 the channel
--       5 the group's key, for messages   6 how many may be in flight   then the leases' names
-- Replies {number, whether it was taken, leases, waiting workers}.
local lasts = 3500000
local leases, waiting = KEYS[1], KEYS[2]
local what, worker = ARGV[2], ARGV[3]
local messages = {}
local taken = 0

redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)
-- What lasts longer than it can is of a clock that stepped back.
for _, lease in ipairs(redis.call('ZRANGEBYSCORE', leases, now + lasts + 1, '+inf')) do
  redis.call('ZADD', leases, now + lasts, lease)
end

if what == 'take' then
  redis.call('ZADD', waiting, 'NX', now, worker)
elseif what == 'leave' then
  redis.call('ZREM', waiting, worker)
else
  for i = 7, #ARGV do
    if what == 'back' then
      redis.call('ZREM', leases, ARGV[i])
    else
      -- Also where it had expired: the call is in flight.
      redis.call('ZADD', leases, now + lasts, ARGV[i])
    end
  end
end

for free = ARGV[6] - redis.call('ZCARD', leases), 1, -1 do
  local first = redis.call('ZRANGE', waiting, 0, 0)[1]
  if not first then
    break
  end
  redis.call('ZREM', waiting, first)
  if first == worker and what == 'take' and taken == 0 then
    taken = 1
    redis.call('ZADD', leases, now + lasts, ARGV[7])
  else
    local lease = string.format('%s:%d:%d', first, now, free)
    redis.call('ZADD', leases, now + lasts, lease)
    messages[#messages + 1] = string.format('l %s %s %s', lease, first, ARGV[5])
  end
end

redis.call('PEXPIRE', leases, lasts / 1000 + margin)
redis.call('PEXPIRE', waiting, lasts / 1000 + margin)
for _, message in ipairs(messages) do
  redis.pcall('PUBLISH', ARGV[4], message)
end
return {ARGV[1], taken, redis.call('ZCARD', leases), redis.call('ZCARD', waiting)}
