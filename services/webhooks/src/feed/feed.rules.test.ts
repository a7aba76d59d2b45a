import { idsBetween, positionOf } from './feed.rules.ts';

const LAP = 10_000_000_000;

describe('the ids between two places', () => {
  it('are those of each day in question, and of its neighbours, by their number', () => {
    const ranges = idsBetween({ day: 10, number: 5 }, { day: 11, number: 9 });
    expect(ranges).toEqual(
      [9, 10, 11, 12].map((day) => ({ lap: 0, from: day * LAP + 5, to: day * LAP + 9 })),
    );
  });

  it('go on with 0 where the ten digits that an id has of its number begin again', () => {
    const ranges = idsBetween({ day: 10, number: LAP - 2 }, { day: 10, number: LAP + 3 });
    const ofDay = ranges.filter(({ to }) => Math.floor(to / LAP) === 10);
    expect(ofDay).toEqual([
      { lap: 0, from: 10 * LAP + LAP - 2, to: 10 * LAP + LAP - 1 },
      { lap: 1, from: 10 * LAP - 1, to: 10 * LAP + 3 },
    ]);
  });

  it('are none behind a place that is further', () => {
    for (const { from, to } of idsBetween({ day: 10, number: 9 }, { day: 10, number: 5 }))
      expect(from).toBeGreaterThan(to);
    expect(idsBetween({ day: 10, number: LAP + 1 }, { day: 10, number: LAP - 1 })).toEqual([]);
  });
});

it.each([
  [10 * LAP + 7, 9, 7],
  [10 * LAP + 7, LAP + 9, LAP + 7],
  [10 * LAP + LAP - 1, LAP + 3, LAP - 1],
  [10 * LAP + 3, LAP + 3, LAP + 3],
])('event %i, of which the last number is %i, has number %i', (id, lastNumber, number) => {
  expect(positionOf(id, lastNumber)).toEqual({ day: 10, number });
});
