interface Total {
  total: number;
  total_is_estimate?: true;
}

/**
 * An estimated total, put right by what its page shows: it is beyond what was seen while the list goes on, and exact where
 * the list ends. Who pages on for as long as the total says so misses nothing.
 * @param offset undefined for a page by cursor, which doesn't know how many came before
 */
export function settledTotal(
  { total, isEstimate }: { total: number; isEstimate: boolean },
  { offset, rows, hasMore }: { offset: number | undefined; rows: number; hasMore: boolean },
): Total {
  if (!isEstimate) return { total };
  const seen = (offset ?? 0) + rows;
  if (hasMore) return { total: Math.max(total, seen + 1), total_is_estimate: true };
  if (offset === undefined) return { total: Math.max(total, seen), total_is_estimate: true };
  if (rows > 0 || offset === 0) return { total: seen };
  return { total: Math.min(total, offset), total_is_estimate: true };
}
