/** Adds to the count of an id; one that comes to nothing is forgotten. @returns the count */
export function addTo<Id>(counts: Map<Id, number>, id: Id, change: number): number {
  const count = (counts.get(id) ?? 0) + change;
  if (count > 0) counts.set(id, count);
  else counts.delete(id);
  return count;
}
