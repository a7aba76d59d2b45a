import { MAX_ENDPOINTS, type WebhookEventName } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import { insertEndpoint, nextEndpointId } from '../data/endpoint.repository.ts';
import { countEndpointsLocked } from '../data/endpoint-lock.repository.ts';
import type { EndpointPublicRow } from '../domain/endpoint.ts';
import { generateSecret } from '../domain/signature.ts';
import type { SigningSecrets } from '../state/signing-secrets.ts';

/** Adds an endpoint with a secret of its own, unless the tenant has as many as it may have. @throws AppError `validation_failed` */
export async function createEndpoint(
  tx: TenantTransaction,
  secrets: SigningSecrets,
  endpoint: { url: string; events: WebhookEventName[] },
): Promise<{ row: EndpointPublicRow; secret: string }> {
  if ((await countEndpointsLocked(tx)) >= MAX_ENDPOINTS) {
    throw invalid({
      url: [`There are already ${MAX_ENDPOINTS} endpoints, the most allowed. Delete one first.`],
    });
  }
  const id = await nextEndpointId(tx);
  const secret = generateSecret();
  const sealed = secrets.seal({ tenantId: tx.tenantId, endpointId: id }, secret);
  return { row: await insertEndpoint(tx, { ...endpoint, ...sealed, id }), secret };
}
