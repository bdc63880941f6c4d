-- The usual case, kept short because it is every call of a hot key: one group of one limit of the generic cell rate
-- algorithm, whose stored state is nothing but that. Whatever else is the case is left to the text after this one, which
-- gives the same answers. See limits.lua for the arithmetic and state.lua for the form of a state.
--
-- KEYS  1 the group
-- ARGV  1 'g'   2 a number that the reply repeats   3 permits wanted   4 quantum   5 latest start, from now   6 cost
--       7 emission interval as it is stored   8 its whole microseconds   9 burst
--       10 generation, 11 theoretical arrival time from now, 12 its remainder: the worker's floor; 11 is '' for none
--       13 how long ago the floor was known, '' for unknown
--       14 permits wanted ahead   15, 16 remainder and divisor of the interval, absent where it is whole
local A = ARGV
local stored = redis.call('GET', KEYS[1])
if A[1] == 'g' then
  local generation, written, tat, rem, pace
  if stored then
    generation, written, tat, rem, pace = string.match(stored, '^(%d+) (%d+) (-?%d+) (%d+) %-?%d+ (%S+)$')
  else
    generation, written, tat, rem, pace = A[10] == '0' and '1' or A[10], now, 0, 0, A[7]
  end
  if pace == A[7] and (generation == A[10] or A[10] == '0') and now - written >= 0 then
    tat = written + tat
    rem = rem + 0
    local cost, whole = A[6] + 0, A[8] + 0
    local slack = A[9] - cost
    local part, over = A[15], A[16]
    if part then
      part = part + 0
      over = over + 0
    end
    local start = now
    if tat > now or (tat == now and rem > 0) then
      start = tat - slack * whole
      if part then
        start = start + math.ceil((rem - slack * part) / over)
      end
      if start < now then
        start = now
      end
    end
    if start - now <= A[5] + 0 and slack >= 0 and (A[11] == '' or now + A[11] < tat) and (rem == 0 or part and rem < over) then
      -- One permit is told in one line, since a table of five costs as much as a tenth of the whole.
      local left, first, n = A[3] - 1, start - now, 5
      local reply = (left > 0 or first > 99999999999999) and {A[2], 1, 0, '', first}
      local horizon = left > 0 and start + A[4]
      while true do
        if tat < start and (rem == 0 or tat + 1 < start) then
          tat = start
          rem = 0
        end
        tat = tat + cost * whole
        if part then
          rem = rem + cost * part
          if rem >= over then
            local parts = rem
            rem = math.fmod(parts, over)
            tat = tat + (parts - rem) / over
          end
        end
        if n == 5 and left > 0 then
          -- What the burst still holds starts at the same instant, and is told as one negative number: how many.
          local interval, debt = whole, tat - start
          if part then
            interval, debt = whole * over + part, debt * over + rem
          end
          local room = slack * interval - debt
          if room >= 0 and room < 4503599627370496 and debt < 4503599627370496 then
            local step = cost * interval
            local more = (room - math.fmod(room, step)) / step + 1
            if more > left then
              more = left
            end
            tat = tat + more * cost * whole
            if part then
              local parts = rem + more * cost * part
              rem = math.fmod(parts, over)
              tat = tat + (parts - rem) / over
            end
            left = left - more
            n = 6
            reply[6] = -more
          end
        end
        if left <= 0 then
          break
        end
        local following = tat - slack * whole
        if part then
          following = following + math.ceil((rem - slack * part) / over)
        end
        if following > start then
          if following > horizon then
            break
          end
          start = following
        end
        n = n + 1
        left = left - 1
        reply[n] = start - now
      end
      if left <= 0 and start == now and A[14] ~= '0' then
        -- For callers who are expected within the quantum: charged as if they left at its end, from half of what the
        -- burst would still hold then.
        local from, fromRem = now + A[4], 0
        if tat >= from then
          from, fromRem = tat, rem
        end
        local interval, debt = whole, from - now
        if part then
          interval, debt = whole * over + part, debt * over + fromRem
        end
        local half = (A[9] * interval - debt) / 2
        local step = cost * interval
        if half >= step and half < 4503599627370496 then
          local more = math.min(A[14] + 0, (half - math.fmod(half, step)) / step)
          tat, rem = from + more * cost * whole, fromRem
          if part then
            local parts = rem + more * cost * part
            rem = math.fmod(parts, over)
            tat = tat + (parts - rem) / over
          end
          reply = reply or {A[2], 1, 0, '', first}
          reply[6] = (reply[6] or 0) - more
        end
      end
      if tat < 9000000000000000 then
        local text = string.format('%s %d %d %d %d %s', generation, now, tat - now, rem, tat - start - whole, pace)
        redis.call('SET', KEYS[1], text, 'PX', math.ceil((tat - now) / 1000) + margin)
        if reply then
          reply[4] = text
          return reply
        end
        return {A[2] .. ' ' .. first .. ' ' .. text}
      end
    end
  end
end
