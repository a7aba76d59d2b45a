import type { TenantTransaction } from '@frontdesk/database';
import { AppError, type Identity, invalid, notFound, requireScopes } from '@frontdesk/service';
import type { EndpointRow } from './endpoint.rules.ts';
import { stateOf } from './endpoint-health.rules.ts';
import { shareEndpoint } from './endpoint-lock.repository.ts';

/**
 * The endpoint, held as it is until the transaction ends. Nothing new is queued for one that gets nothing: it would be
 * forgotten, and come as a surprise once the endpoint is resumed.
 * @throws AppError `not_found`, `insufficient_scope`, `tenant_suspended`, or `validation_failed` where it is paused or disabled
 */
export async function useEndpoint(tx: TenantTransaction, id: number, by: Identity): Promise<EndpointRow> {
  const endpoint = await shareEndpoint(tx, id);
  if (endpoint === null) throw notFound('Webhook endpoint');
  requireScopes(by, endpoint.scopes);
  if (endpoint.is_suspended)
    throw new AppError('tenant_suspended', 'This business is suspended: nothing is sent.');
  const state = stateOf(endpoint);
  if (state !== 'active') throw invalid({ endpoint: [`The endpoint is ${state}. Resume it first.`] });
  return endpoint;
}
