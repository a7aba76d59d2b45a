import { idempotent } from '@frontdesk/chassis';
import type { Answer, Database, TenantTransaction } from '@frontdesk/database';
import { etagOf, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findEndpoint } from '../data/endpoint.repository.ts';
import type { SigningSecrets } from '../state/signing-secrets.ts';

interface Answered<Record> {
  success: true;
  data: Record;
}

/** What a request made: the secret to show, and the answer without it. */
interface Made<Record> {
  secret: string;
  answer: Answer<Answered<Record>>;
}

type Work<Record> = (tx: TenantTransaction) => Promise<Made<Record>>;

/**
 * Runs a POST once for its `Idempotency-Key`, and shows the secret that it made with its answer. What is kept of the answer for a
 * repetition holds no secret. That shows the endpoint's as long as it is at the version of the answer; later on, it
 * shows none.
 */
export async function answerWithSecret<Record extends { id: number }>(
  context: { request: FastifyRequest; reply: FastifyReply; database: Database; secrets: SigningSecrets },
  effect: (
    transaction: (work: Work<Record>) => Promise<Answer<Answered<Record>>>,
  ) => Promise<Answer<Answered<Record>>>,
) {
  const { request, reply, database, secrets } = context;
  const { tenantId } = request;
  const scope = database.forTenant(tenantId);
  const made: { secret?: string } = {};
  const { data } = await idempotent<Answered<Record>>({ request, reply, scope }, (transaction) =>
    effect((work) =>
      transaction(async (tx) => {
        const { secret, answer } = await work(tx);
        made.secret = secret;
        return answer;
      }),
    ),
  );
  if (made.secret !== undefined) return ok({ ...data, secret: made.secret });
  const stored = await findEndpoint(scope, data.id);
  if (stored === null || etagOf(stored.version) !== reply.getHeader('etag')) return ok(data);
  return ok({ ...data, secret: secrets.open({ tenantId, endpointId: data.id }, stored.secret) });
}
