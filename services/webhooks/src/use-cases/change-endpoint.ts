import type { UpdateEndpoint } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { changesOf, notFound, type RequireVersion } from '@frontdesk/service';
import { findEndpointWithHealth, updateEndpoint } from '../data/endpoint.repository.ts';
import { lockEndpoint } from '../data/endpoint-lock.repository.ts';
import type { EndpointAdminRow } from '../domain/endpoint.ts';

/**
 * Applies a patch. Pending deliveries stay through a pause. Resumed, or at another address, it begins anew: what
 * failed before neither holds its deliveries back nor counts towards disabling it.
 * @throws AppError `not_found`, `precondition_failed`
 */
export async function changeEndpoint(
  tx: TenantTransaction,
  id: number,
  patch: UpdateEndpoint,
  requireVersion: RequireVersion,
): Promise<EndpointAdminRow> {
  const held = await lockEndpoint(tx, id);
  if (held === null) throw notFound('Webhook endpoint');
  requireVersion(held.version);
  const { url, events, is_active } = held;
  const before = { url, events, is_active };
  const changes = changesOf(before, patch);
  if (changes) {
    const isAnew = changes.url !== undefined || changes.is_active === true;
    await updateEndpoint(tx, { id, ...before, ...changes, isAnew });
  }
  return (await findEndpointWithHealth(tx, id)) as EndpointAdminRow;
}
