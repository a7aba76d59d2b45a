import { createSettledPosition } from './settled-position.ts';

const DAY = 20_000;
const none = (next: number) => ({ oldest: next, next, day: DAY });

describe('the settled position', () => {
  it('is unknown at first, and all that was given while nobody writes', () => {
    const settled = createSettledPosition();
    expect(settled.position()).toBeNull();
    settled.look(7, none(100));
    expect(settled.position()).toEqual({ day: DAY, number: 7 });
  });

  it('stays where it is while a transaction of the mark is open, whatever comes after it', () => {
    const settled = createSettledPosition();
    settled.look(7, none(100));
    settled.look(9, { oldest: 100, next: 103, day: DAY });
    settled.look(12, { oldest: 102, next: 110, day: DAY });
    expect(settled.position()?.number).toBe(7);
    settled.look(15, { oldest: 103, next: 112, day: DAY });
    expect(settled.position()?.number).toBe(9);
  });

  it('goes on while there is always somebody who writes', () => {
    const settled = createSettledPosition();
    for (let turn = 0; turn < 10; turn += 1)
      settled.look(turn, { oldest: 100 + 2 * turn, next: 102 + 2 * turn, day: DAY });
    expect(settled.position()?.number).toBe(8);
  });

  it('never goes back', () => {
    const settled = createSettledPosition();
    settled.look(9, none(100));
    settled.look(5, none(101));
    expect(settled.position()?.number).toBe(9);
  });
});
