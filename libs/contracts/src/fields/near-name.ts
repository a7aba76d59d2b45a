/** Longer names are cut before they are compared: no name of ours is as long. */
const MAX_COMPARED = 64;
/** Shorter parts of a name say nothing about which name is meant. */
const MIN_PART = 3;

/**
 * The known name that a wrong one is most likely meant to be, or null where none is near: a few letters differ, are missing or
 * swapped; or one is a part of the other, as in `phone_number` for `phone`. Case and signs do not count.
 */
export function nearestName(wrong: string, known: Iterable<string>): string | null {
  const wanted = bare(wrong);
  let nearest: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const other = bare(name);
    const edits = editsBetween(wanted, other);
    const most = Math.floor(Math.max(wanted.length, other.length) / 4);
    if (edits < fewest && (edits <= most || isPartOf(wanted, other))) [nearest, fewest] = [name, edits];
  }
  return nearest;
}

/** A message about a wrong name, with the one that may be meant. */
export const withNearest = (message: string, wrong: string, known: Iterable<string>): string => {
  const nearest = nearestName(wrong, known);
  return nearest === null ? message : `${message} Did you mean ${nearest}?`;
};

const bare = (name: string) =>
  name
    .slice(0, MAX_COMPARED)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

function isPartOf(one: string, other: string): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  return shorter.length >= MIN_PART && (longer.startsWith(shorter) || longer.endsWith(shorter));
}

const MANY = Number.POSITIVE_INFINITY;

/**
 * Letters to add, leave out, replace or swap with the next one (the optimal string alignment distance). More than `most` are Infinity,
 * and looked at no further: then the work grows with the length alone.
 */
export function editsBetween(one: string, other: string, most = MANY): number {
  if (Math.abs(one.length - other.length) > most) return MANY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current: number[] = new Array(other.length + 1).fill(MANY);
    current[0] = row;
    let least = row;
    for (let column = Math.max(1, row - most); column <= Math.min(other.length, row + most); column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const edits = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] as number) + 1 : MANY,
      );
      current[column] = edits;
      least = Math.min(least, edits);
    }
    if (least > most) return MANY;
    [beforeLast, last] = [last, current];
  }
  const edits = last[other.length] as number;
  return edits > most ? MANY : edits;
}
