import fc from 'fast-check';
import { bisect } from './bisect.ts';

interface Fault {
  /** It is never taken. */
  bad: Set<number>;
  /** The try that meets a passing fault, counted from 1. */
  fallsAt: number;
  /** After so many tries it must not go on. */
  stopsAfter: number;
}

/** Bisects the numbers up to `count`. @returns what has been settled, in order, and how many tries that took */
async function settledOf(count: number, { bad, fallsAt, stopsAfter }: Fault) {
  const settled: [number, 'taken' | 'set aside'][] = [];
  let tries = 0;
  const fell = await bisect(
    Array.from({ length: count }, (_, index) => index),
    {
      async take(part) {
        tries += 1;
        if (tries === fallsAt) throw new Error('passing');
        if (part.some((item) => bad.has(item))) return 'bad';
        for (const item of part) settled.push([item, 'taken']);
        return null;
      },
      setAside(item, reason) {
        expect(reason).toBe('bad');
        settled.push([item, 'set aside']);
      },
      mayGoOn: () => tries < stopsAfter,
    },
  ).then(
    () => false,
    (error: Error) => error.message === 'passing',
  );
  return { settled, tries, fell };
}

const NEVER = Number.POSITIVE_INFINITY;
const items = fc.integer({ min: 0, max: 64 });
const badOnes = fc.uniqueArray(fc.nat(63), { maxLength: 8 }).map((all) => new Set(all));

it('takes all but those that are refused, which are set aside alone, each in its place', async () => {
  const property = fc.asyncProperty(items, badOnes, async (count, bad) => {
    const { settled, tries } = await settledOf(count, { bad, fallsAt: NEVER, stopsAfter: NEVER });
    expect(settled).toEqual(
      Array.from({ length: count }, (_, item) => [item, bad.has(item) ? 'set aside' : 'taken']),
    );
    const refused = [...bad].filter((item) => item < count).length;
    expect(tries).toBeLessThanOrEqual(
      Math.min(count, 1) + 2 * refused * Math.ceil(Math.log2(Math.max(2, count))),
    );
  });
  await fc.assert(property);
});

it('leaves what follows a passing fault or a stop untouched, and what comes before it settled', async () => {
  const stop = fc.integer({ min: 1, max: 20 });
  const property = fc.asyncProperty(items, badOnes, stop, fc.boolean(), async (count, bad, at, falls) => {
    const fault = falls ? { fallsAt: at, stopsAfter: NEVER } : { fallsAt: NEVER, stopsAfter: at };
    const { settled, tries, fell } = await settledOf(count, { bad, ...fault });
    const whole = (await settledOf(count, { bad, fallsAt: NEVER, stopsAfter: NEVER })).settled;
    expect(settled).toEqual(whole.slice(0, settled.length));
    expect(tries).toBeLessThanOrEqual(at);
    expect(fell).toBe(falls && tries === at);
  });
  await fc.assert(property);
});
