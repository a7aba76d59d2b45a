import { createSlowReceivers } from './slow-receivers.ts';

const PLACES = 4;
const ID = 7;

describe('who keeps deliveries waiting', () => {
  let now: number;
  let slow: ReturnType<typeof createSlowReceivers>;
  const endedAfter = (ms: number, count: number) => {
    now += ms;
    for (let nth = 0; nth < count; nth += 1) slow.ended(ID);
    slow.tick();
  };

  beforeEach(() => {
    now = 1_000_000;
    slow = createSlowReceivers(PLACES, () => now);
  });

  it('is slow for five seconds where fewer attempts have ended than there are places', () => {
    endedAfter(1_000, PLACES - 1);
    slow.keptWaiting(ID);
    expect(slow.has(ID)).toBe(true);
    expect(slow.all()).toEqual([ID]);
    now += 4_999;
    expect(slow.all()).toEqual([ID]);
    now += 1;
    expect(slow.has(ID)).toBe(false);
    expect(slow.all()).toEqual([]);
  });

  it('had just been given too many where as many have ended', () => {
    endedAfter(1_000, PLACES);
    slow.keptWaiting(ID);
    expect(slow.has(ID)).toBe(false);
    expect(slow.hasKeptWaiting(ID)).toBe(true);
    now += 5_000;
    expect(slow.hasKeptWaiting(ID)).toBe(false);
  });

  it('is judged by the last second or two: what ended before that says nothing', () => {
    endedAfter(1_000, PLACES);
    endedAfter(1_000, 0);
    slow.keptWaiting(ID);
    expect(slow.has(ID)).toBe(true);
  });

  it('counts what ended on both sides of a second together', () => {
    endedAfter(1_000, PLACES / 2);
    endedAfter(250, PLACES / 2);
    slow.keptWaiting(ID);
    expect(slow.has(ID)).toBe(false);
  });

  it('is not slow for having nothing to do', () => {
    endedAfter(60_000, 0);
    expect(slow.has(ID)).toBe(false);
  });

  it('stays slow while it goes on keeping some waiting, and says nothing of others', () => {
    slow.keptWaiting(ID);
    now += 4_000;
    slow.keptWaiting(ID);
    now += 4_000;
    expect(slow.has(ID)).toBe(true);
    expect(slow.has(ID + 1)).toBe(false);
  });
});
