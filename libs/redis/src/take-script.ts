/**
 * Counts requests in the windows of one or more subjects: either all windows of a subject allow them, or none counts them.
 *
 * KEYS: the counters of all subjects, without the window's number. ARGV, for each subject: count, granted at (epoch
 * milliseconds, 0 for now), number of windows, then limit and seconds of each window. A negative count gives back what was
 * granted then, in the windows that are still the same. Reply: Redis's clock in milliseconds, then for each subject what was
 * granted and what each window had used before.
 *
 * A counter expires a second after its window: the next window has another counter.
 */
export const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local reply, key, arg = { now }, 1, 1
while arg < #ARGV do
  local count, at, windows = tonumber(ARGV[arg]), tonumber(ARGV[arg + 1]), tonumber(ARGV[arg + 2])
  local granted, counters, ends, is_same = count, {}, {}, {}
  for i = 1, windows do
    local span = ARGV[arg + 2 * i + 2] * 1000
    local window = math.floor(now / span)
    counters[i] = KEYS[key + i - 1] .. ':' .. string.format('%.0f', window)
    ends[i] = (window + 1) * span
    is_same[i] = at == 0 or math.floor(at / span) == window
  end
  local used = redis.call('MGET', unpack(counters))
  for i = 1, windows do
    used[i] = tonumber(used[i] or 0)
    if count > 0 and used[i] + count > tonumber(ARGV[arg + 2 * i + 1]) then granted = 0 end
  end
  reply[#reply + 1] = granted
  for i = 1, windows do
    reply[#reply + 1] = used[i]
    if granted ~= 0 and is_same[i] and used[i] + granted >= 0 then
      redis.call('INCRBY', counters[i], granted)
      if used[i] == 0 then redis.call('PEXPIREAT', counters[i], ends[i] + 1000) end
    end
  end
  key, arg = key + windows, arg + 3 + 2 * windows
end
return reply
`;
