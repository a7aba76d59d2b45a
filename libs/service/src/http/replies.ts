import type { PageMeta } from '@frontdesk/contracts';

/** The success envelope of one record, or of a whole list without pages. */
export function ok<Data>(data: Data): { success: true; data: Data } {
  return { success: true, data };
}

/**
 * The success envelope of one page. `total` counts all records of the list, not of the page; what is undefined of the rest
 * is left out.
 */
export function page<Row>(data: Row[], meta: PageMeta): { success: true; data: Row[]; meta: PageMeta } {
  const { page: number, per_page, total, total_is_estimate, next_cursor } = meta;
  return { success: true, data, meta: { page: number, per_page, total, total_is_estimate, next_cursor } };
}
