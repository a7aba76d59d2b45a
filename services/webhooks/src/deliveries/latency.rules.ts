/** Each bucket reaches a fifth further than the one before: whatever is in it is known to a tenth. */
const GROWTH = 1.2;
const LARGEST = 150;

/** The bucket of a latency in milliseconds; 0 holds all that is below one. */
export function latencyBucket(ms: number): number {
  if (ms < 1) return 0;
  return Math.min(1 + Math.floor(Math.log(ms) / Math.log(GROWTH)), LARGEST);
}

/** The middle of a bucket, in milliseconds. */
function middleOf(bucket: number): number {
  return bucket === 0 ? 0.5 : GROWTH ** (bucket - 0.5);
}

/** The latency in milliseconds that this share of what was counted stays within; null where nothing was. */
export function latencyAt(share: number, counts: ReadonlyMap<number, number>): number | null {
  const buckets = [...counts].sort(([a], [b]) => a - b);
  const wanted = share * buckets.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  for (const [bucket, count] of buckets) {
    seen += count;
    if (count > 0 && seen >= wanted) return Number(middleOf(bucket).toPrecision(2));
  }
  return null;
}
