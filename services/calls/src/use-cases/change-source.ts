import type { UpdateCallSource } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { changesOf, notFound, type RequireVersion } from '@frontdesk/service';
import { lockSource, updateSource } from '../data/call-source.repository.ts';
import type { CallSourceRow } from '../domain/call-source.ts';

/** Changes what is given; settings are replaced as a whole. @throws AppError `not_found`, `precondition_failed` */
export async function changeSource(
  tx: TenantTransaction,
  id: number,
  patch: UpdateCallSource,
  requireVersion: RequireVersion,
): Promise<CallSourceRow> {
  const source = await lockSource(tx, id);
  if (!source) throw notFound('Call source');
  requireVersion(source.version);
  const changes = changesOf<CallSourceRow>(source, patch);
  return changes ? updateSource(tx, id, changes) : source;
}
