import fc from 'fast-check';
import { latencyAt, latencyBucket } from './latency.rules.ts';

const counted = (latencies: readonly number[]) => {
  const counts = new Map<number, number>();
  for (const ms of latencies) {
    const bucket = latencyBucket(ms);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  return counts;
};

it('knows a percentile to about a tenth, whatever is counted', () => {
  const latencies = fc.array(fc.double({ min: 1, max: 86_400_000, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(latencies, fc.constantFrom(0.5, 0.95), (all, share) => {
      const exact = all.toSorted((a, b) => a - b)[Math.ceil(share * all.length) - 1] as number;
      const estimate = latencyAt(share, counted(all)) as number;
      expect(estimate / exact).toBeGreaterThan(0.85);
      expect(estimate / exact).toBeLessThan(1.16);
    }),
  );
});

it('takes what is below a millisecond, and what lasted for months', () => {
  expect(latencyAt(0.5, counted([0, 0.4, 0.9]))).toBe(0.5);
  expect(latencyBucket(Number.MAX_SAFE_INTEGER)).toBe(150);
  expect(latencyBucket(-3)).toBe(0);
});

it('knows no latency of nothing', () => {
  expect(latencyAt(0.95, new Map())).toBeNull();
  expect(latencyAt(0.95, new Map([[3, 0]]))).toBeNull();
});
