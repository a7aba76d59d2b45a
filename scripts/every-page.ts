import { MAX_PER_PAGE } from '@frontdesk/contracts';

/** Every record of a paginated list; `readPage` is given the query to ask with. */
export async function everyPage<Row>(
  readPage: (query: { page: number; per_page: number }) => Promise<Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let page = 1; ; page += 1) {
    const rows = await readPage({ page, per_page: MAX_PER_PAGE });
    all.push(...rows);
    if (rows.length < MAX_PER_PAGE) return all;
  }
}
