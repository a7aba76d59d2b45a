import type { TenantTransaction } from '@frontdesk/database';
import { disableEndpoint } from '../data/endpoint.repository.ts';
import type { FailedEndpoint } from '../data/health.repository.ts';
import { endpointRecord } from '../domain/endpoint.ts';

/** Ends an endpoint for what it answered, and writes the event; unless it has been changed since, or is over already. */
export async function disableFailedEndpoint(tx: TenantTransaction, failed: FailedEndpoint): Promise<void> {
  const row = await disableEndpoint(tx, failed);
  if (row === null) return;
  const data = { ...endpointRecord(row), disabled_reason: failed.reason };
  tx.emit('endpoint.disabled', { aggregateId: row.id, version: row.version, data });
}
