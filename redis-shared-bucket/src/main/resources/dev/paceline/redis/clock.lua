-- Redis' own clock, read once: whole microseconds. What is written lives one second longer than it counts.
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local margin = 1000
