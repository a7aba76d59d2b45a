import type { CursorPlace, TextPlace } from './cursors.ts';

/** What a list is sorted by: a column with an instant or a text, and then the id; or the id alone where that is the column. */
export interface SortColumn {
  column: string;
  /** Among equals the ids run against the column; otherwise with it. */
  hasIdsReversed?: boolean;
  /** The column holds a text, in an order that no locale has a say in. */
  isText?: boolean;
}

/** A cursor's values. Where the id alone decides, there is no other. */
export type AfterValues = { afterId: number; afterValue?: number | string };

/** One way through a list, in SQL. */
export interface SortSql {
  orderBy: string;
  /**
   * What the cursor after a row carries beside its id: the text; or seconds since the epoch, 0 where the id alone decides. A number holds
   * every second exactly, and every microsecond until the year 2255.
   */
  cursorValue: string;
  /** Condition of the rows after a cursor; it takes `afterValues`. */
  after: string;
  afterValues: (place: CursorPlace | TextPlace) => AfterValues;
  isText: boolean;
}

const OPPOSITE = { asc: 'desc', desc: 'asc' } as const;
const COMES_AFTER = { asc: '>', desc: '<' } as const;

export function sortSql(
  { column, hasIdsReversed = false, isText = false }: SortColumn,
  direction: 'asc' | 'desc',
): SortSql {
  const beyond = COMES_AFTER[direction];
  if (column === 'id') {
    return {
      orderBy: `id ${direction}`,
      cursorValue: '0',
      after: `id ${beyond} $afterId`,
      afterValues: ([, afterId]) => ({ afterId }),
      isText,
    };
  }
  const idDirection = hasIdsReversed ? OPPOSITE[direction] : direction;
  const order = {
    orderBy: `${column} ${direction}, id ${idDirection}`,
    cursorValue: isText ? column : `extract(epoch from ${column})::float8`,
    isText,
    afterValues: ([afterValue, afterId]: CursorPlace | TextPlace) => ({ afterValue, afterId }),
  };
  const value = isText ? '$afterValue' : 'to_timestamp($afterValue)';
  // Either condition lets an index on column and id be entered at the cursor. The first passes over all rows that are
  // equal to it; the second doesn't, but holds only where both go the same way.
  return hasIdsReversed
    ? {
        ...order,
        after: `${column} ${beyond}= ${value} and (${column} ${beyond} ${value} or id ${COMES_AFTER[idDirection]} $afterId)`,
      }
    : {
        ...order,
        after: `(${column}, id) ${beyond} (${value}, $afterId)`,
      };
}
