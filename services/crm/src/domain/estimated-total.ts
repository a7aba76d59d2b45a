/**
 * An estimated total, put right by what its page shows: it is beyond what was seen while the list goes on, and exact where
 * the list ends. Who pages on for as long as the total says so misses nothing.
 * @param found how many rows were found of those that the window may have
 */
export function estimatedTotal(
  estimate: number,
  { after, limit, offset }: { after: readonly number[]; limit: number; offset: number },
  found: number,
): { total: number; total_is_estimate?: true } {
  // A page by cursor doesn't know how many came before. A full window holds a row of the next page: the list goes on.
  const hasEnd = after.length === 0 && found < limit;
  const seen = offset + found;
  if (!hasEnd) return { total: Math.max(estimate, seen), total_is_estimate: true };
  if (found > 0 || offset === 0) return { total: seen };
  return { total: Math.min(estimate, offset), total_is_estimate: true };
}
