-- Takes a worker's heartbeat, forgets those that missed three, and counts the living.
--
-- One sorted set holds each worker twice: as 's' and its name by when it was last seen, and as 'o' and its name at 0. So
-- the rank of the latter is the worker's place in an order that no heartbeat changes.
--
-- KEYS  1 the workers
-- ARGV  1 a number that the reply repeats   2 the worker's name
-- Replies {number, workers, rank from 0}.
local lasts = 3500000
local key, worker = KEYS[1], ARGV[2]
redis.call('ZADD', key, now, 's' .. worker, 0, 'o' .. worker)
for _, seen in ipairs(redis.call('ZRANGEBYSCORE', key, 1, now - lasts)) do
  redis.call('ZREM', key, seen, 'o' .. string.sub(seen, 2))
end
-- Seen in the future is a clock that stepped back: as good as now.
for _, seen in ipairs(redis.call('ZRANGEBYSCORE', key, now + lasts, '+inf')) do
  redis.call('ZADD', key, now, seen)
end
redis.call('PEXPIRE', key, lasts / 1000 + margin)
return {ARGV[1], redis.call('ZCARD', key) / 2, redis.call('ZRANK', key, 'o' .. worker)}
