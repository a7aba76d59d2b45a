import { type Database, idempotent } from '@frontdesk/database';
import { notFound, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findStoredSecret } from '../data/endpoint.repository.ts';
import type { SigningSecrets } from '../domain/signing-secrets.ts';

interface Answered<Record> {
  success: true;
  data: Record;
}

/**
 * Runs a POST once for its `Idempotency-Key`, and shows the endpoint's secret with its answer. What is kept of the answer for a
 * repetition holds no secret: it is opened for each one.
 */
export async function answerWithSecret<Record extends { id: number }>(
  context: { request: FastifyRequest; reply: FastifyReply; database: Database; secrets: SigningSecrets },
  effect: Parameters<typeof idempotent<Answered<Record>>>[1],
) {
  const { request, reply, database, secrets } = context;
  const { tenantId } = request;
  const scope = database.forTenant(tenantId);
  const { data } = await idempotent<Answered<Record>>({ request, reply, scope }, effect);
  const stored = await findStoredSecret(scope, data.id);
  if (stored === null) throw notFound('Webhook endpoint');
  return ok({ ...data, secret: secrets.open({ tenantId, endpointId: data.id }, stored.secret) });
}
