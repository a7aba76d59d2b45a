/** Below these heights, in pixels, there is no room for a line, for a second one, or for a third. */
export const ONE_LINE = 14;
export const TWO_LINES = 36;
export const THREE_LINES = 54;

/** On either side of a tile, in percent of the column. */
const MARGIN = 1;

/** Which of how many beside each other. */
export interface Lane {
  lane: number;
  lanes: number;
}

/** From where on it is drawn, and how wide, in percent of the column. */
export function acrossOf({ lane, lanes }: Lane): { x: number; width: number } {
  const share = 100 / lanes;
  return { x: lane * share + MARGIN, width: share - 2 * MARGIN };
}
