import { createSettledPosition } from './settled-position.cache.ts';

const DAY = 20_000;
/** A look by transaction `own`, while nobody else writes. */
const alone = (own: number) => ({ oldest: own, own, day: DAY });

describe('the settled position', () => {
  it('is unknown at first, and all that was given while nobody else writes', () => {
    const settled = createSettledPosition();
    expect(settled.position()).toBeNull();
    settled.look(7, alone(100));
    expect(settled.position()).toEqual({ day: DAY, number: 7 });
  });

  it('stays where it is while a transaction of the mark is open, whatever comes after it', () => {
    const settled = createSettledPosition();
    settled.look(7, alone(100));
    settled.look(9, { oldest: 101, own: 103, day: DAY });
    settled.look(12, { oldest: 102, own: 110, day: DAY + 2 });
    expect(settled.position()?.number).toBe(7);
    settled.look(15, { oldest: 103, own: 112, day: DAY + 2 });
    expect(settled.position()).toEqual({ day: DAY, number: 9 });
  });

  it('goes on while there is always somebody who writes', () => {
    const settled = createSettledPosition();
    for (let turn = 0; turn < 10; turn += 1)
      settled.look(turn, { oldest: 100 + 2 * turn, own: 102 + 2 * turn, day: DAY });
    expect(settled.position()?.number).toBe(8);
  });

  it('never goes back', () => {
    const settled = createSettledPosition();
    settled.look(9, alone(100));
    settled.look(5, alone(101));
    expect(settled.position()?.number).toBe(9);
  });
});
