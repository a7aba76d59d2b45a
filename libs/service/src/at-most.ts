/**
 * Options of lru-cache for so many entries. A cache with `max` takes the room for all of them when it is made; this one grows
 * with what it holds.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
