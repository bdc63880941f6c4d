-- Takes a worker's heartbeat, forgets those that missed three, and counts the living.
--
-- One sorted set holds each worker twice: as 's' and its name by when it was last seen, and as 'o' and its name at 0. So
-- the rank of the latter is the worker's place in an order that no heartbeat changes.
--
-- KEYS  1 the workers   2 the limits of rules, for people who look at schedules; in the same slot
-- ARGV  1 a number that the reply repeats   2 the worker's name   3 0 if it hears no replies: it is not counted
--       4 how long the limits that follow hold, milliseconds, then names and limits of rules, often none
-- Replies {number, workers, rank from 0}.
local lasts = 3500000
local key, worker = KEYS[1], ARGV[2]
-- Also where it is taken out again: a server that is full must refuse this, as it does an ask.
redis.call('ZADD', key, now, 's' .. worker, 0, 'o' .. worker)
if ARGV[3] == '0' then
  redis.call('ZREM', key, 's' .. worker, 'o' .. worker)
end
for _, seen in ipairs(redis.call('ZRANGEBYSCORE', key, 1, now - lasts)) do
  redis.call('ZREM', key, seen, 'o' .. string.sub(seen, 2))
end
-- Seen in the future is a clock that stepped back: as good as now.
for _, seen in ipairs(redis.call('ZRANGEBYSCORE', key, now + lasts, '+inf')) do
  redis.call('ZADD', key, now, seen)
end
redis.call('PEXPIRE', key, lasts / 1000 + margin)
if #ARGV > 4 then
  local rules = KEYS[2]
  redis.call('HSET', rules, unpack(ARGV, 5))
  redis.call('PEXPIRE', rules, math.max(redis.call('PTTL', rules), ARGV[4] + 0))
end
return {ARGV[1], math.max(1, redis.call('ZCARD', key) / 2), redis.call('ZRANK', key, 'o' .. worker) or 0}
