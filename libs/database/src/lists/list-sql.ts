import type { CursorPlace } from './cursors.ts';

/** What a list is sorted by: a column with an instant and then the id, or the id alone where that is the column. */
export interface SortColumn {
  column: string;
  /** Among equals the ids run against the column; otherwise with it. */
  hasIdsReversed?: boolean;
}

/** One way through a list, in SQL. */
export interface SortSql {
  orderBy: string;
  /**
   * What the cursor after a row carries beside its id: seconds since the epoch, 0 where the id alone decides. A number holds every second
   * exactly, and every microsecond until the year 2255.
   */
  cursorValue: string;
  /** Condition of the rows after a cursor, `?` standing for `afterValues`. */
  after: string;
  afterValues: (place: CursorPlace) => number[];
}

const OPPOSITE = { asc: 'desc', desc: 'asc' } as const;
const COMES_AFTER = { asc: '>', desc: '<' } as const;

export function sortSql({ column, hasIdsReversed = false }: SortColumn, direction: 'asc' | 'desc'): SortSql {
  const beyond = COMES_AFTER[direction];
  if (column === 'id') {
    return {
      orderBy: `id ${direction}`,
      cursorValue: '0',
      after: `id ${beyond} ?`,
      afterValues: ([, id]) => [id],
    };
  }
  const idDirection = hasIdsReversed ? OPPOSITE[direction] : direction;
  const order = {
    orderBy: `${column} ${direction}, id ${idDirection}`,
    cursorValue: `extract(epoch from ${column})::float8`,
  };
  // Either condition lets an index on column and id be entered at the cursor. The first passes over all rows that are
  // equal to it; the second doesn't, but holds only where both go the same way.
  return hasIdsReversed
    ? {
        ...order,
        after: `${column} ${beyond}= to_timestamp(?) and (${column} ${beyond} to_timestamp(?) or id ${COMES_AFTER[idDirection]} ?)`,
        afterValues: ([value, id]) => [value, value, id],
      }
    : {
        ...order,
        after: `(${column}, id) ${beyond} (to_timestamp(?), ?)`,
        afterValues: ([value, id]) => [value, id],
      };
}

/** The text with the parameters from this one on for its `?`, one after the other. */
export function numbered(text: string, first: number): string {
  let parameter = first - 1;
  return text.replaceAll('?', () => {
    parameter += 1;
    return `$${parameter}`;
  });
}
