import type { Answer } from '@frontdesk/database';
import { etagOf, ok } from '@frontdesk/service';

/** What the POST that made a record answers. `list` is where such records are. */
export function created<Data extends { id: number }>(
  list: string,
  version: number,
  record: Data,
): Answer<{ success: true; data: Data }> {
  const headers = { etag: etagOf(version), location: `${list}/${record.id}` };
  return { status: 201, body: ok(record), headers };
}
