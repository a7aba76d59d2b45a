import { nearestStarts, slotRecord } from './slot.rules.ts';

const start = (startsAt: number, resourceIds = [7]) => ({
  date: '2026-06-01',
  minute: 540,
  startsAt,
  resourceIds,
});

describe('slots', () => {
  it('name nobody where the business itself is the resource', () => {
    expect(slotRecord(start(0, [0]), 60, 'UTC')).toMatchObject({ staff_id: null, staff_ids: [] });
  });

  it('name the first who is free, and all', () => {
    expect(slotRecord(start(0, [7, 9]), 60, 'UTC')).toMatchObject({ staff_id: 7, staff_ids: [7, 9] });
  });
});

describe('the nearest starts', () => {
  it('are by distance, the earlier of two equals first, and come in order of time', () => {
    const starts = [10, 20, 30, 40, 50].map((startsAt) => start(startsAt));
    expect(nearestStarts(starts, 30, 2).map(({ startsAt }) => startsAt)).toEqual([20, 30]);
    expect(nearestStarts(starts, 35, 3).map(({ startsAt }) => startsAt)).toEqual([20, 30, 40]);
    expect(nearestStarts([], 30, 5)).toEqual([]);
  });
});
