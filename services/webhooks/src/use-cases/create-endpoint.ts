import { MAX_ENDPOINTS } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import { insertEndpoint, type NewEndpoint } from '../data/endpoint.repository.ts';
import { lockEndpointCount } from '../data/endpoint-lock.repository.ts';
import type { EndpointRow } from '../domain/endpoint-record.ts';

/** Adds an endpoint, unless the tenant has as many as it may have. @throws AppError `validation_failed` */
export async function createEndpoint(tx: TenantTransaction, endpoint: NewEndpoint): Promise<EndpointRow> {
  if ((await lockEndpointCount(tx)) >= MAX_ENDPOINTS) {
    throw invalid({
      url: [`There are ${MAX_ENDPOINTS} endpoints already, the most there may be. Delete one first.`],
    });
  }
  return insertEndpoint(tx, endpoint);
}
