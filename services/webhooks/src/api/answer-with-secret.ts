import { idempotent } from '@frontdesk/chassis';
import type { Answer, Database, TenantTransaction } from '@frontdesk/database';
import { etagOf, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findEndpoint } from '../data/endpoint.repository.ts';
import type { SigningSecrets } from '../state/signing-secrets.ts';

/** What a request made: the record as it is answered, and the secret that is shown beside it. */
interface Made<Shown> extends Pick<Answer, 'status' | 'headers'> {
  record: Shown;
  version: number;
  secret: string;
}

/**
 * Runs a POST once for its `Idempotency-Key`, and shows the secret that it made with its answer. The stored answer
 * holds no secret. A repetition shows the endpoint's secret while the endpoint is still at that version, and none afterwards.
 * @param options.check comes before the transaction
 */
export async function answerWithSecret<Shown extends { id: number }>(
  options: {
    request: FastifyRequest;
    reply: FastifyReply;
    database: Database;
    secrets: SigningSecrets;
    check?: () => Promise<void>;
  },
  make: (tx: TenantTransaction) => Promise<Made<Shown>>,
) {
  const { request, reply, database, secrets, check } = options;
  const { tenantId } = request;
  const scope = database.forTenant(tenantId);
  let newSecret: string | undefined;
  const { data } = await idempotent<ReturnType<typeof ok<Shown>>>(
    { request, reply, scope },
    async (transaction) => {
      await check?.();
      return transaction(async (tx) => {
        const { status, headers, record, version, secret } = await make(tx);
        newSecret = secret;
        return { status, body: ok(record), headers: { etag: etagOf(version), ...headers } };
      });
    },
  );
  if (newSecret !== undefined) return ok({ ...data, secret: newSecret });
  const stored = await findEndpoint(scope, data.id);
  if (stored === null || etagOf(stored.version) !== reply.getHeader('etag')) return ok(data);
  return ok({ ...data, secret: secrets.open({ tenantId, endpointId: data.id }, stored.secret) });
}
