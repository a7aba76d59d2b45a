import { MAX_PER_PAGE } from '@frontdesk/contracts';
import type { ServiceClient } from '@frontdesk/service';
import { z } from 'zod';

/** Reads a paged list to its end. */
export async function everyPage<Schema extends z.ZodType>(
  client: ServiceClient,
  path: string,
  schema: Schema,
): Promise<z.output<Schema>[]> {
  const all: z.output<Schema>[] = [];
  for (let page = 1; ; page += 1) {
    const rows = await client.request({
      method: 'GET',
      path: `${path}?page=${page}&per_page=${MAX_PER_PAGE}`,
      schema: z.array(schema),
    });
    all.push(...rows);
    if (rows.length < MAX_PER_PAGE) return all;
  }
}
