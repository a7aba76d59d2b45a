import {
  type CallSource,
  type CreateCallSource,
  callsRoutes,
  pathTo,
  type Quotas,
} from '@frontdesk/contracts';
import type { Database, TenantTransaction } from '@frontdesk/database';
import {
  type App,
  etagOf,
  matching,
  notFound,
  ok,
  type RequireVersion,
  requireQuota,
  route,
  type SecretBox,
} from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { idempotent } from '@frontdesk/wiring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  countSourcesLocked,
  findSource,
  insertSource,
  lockSource,
  updateSource,
} from './call-source.repository.ts';
import { type CallSourceRow, callSourceRecord } from './call-source.rules.ts';
import { newToken, openedSecret, sealedSecret } from './source-secret.ts';

/** The two routes that show a secret. */
export function callSourceSecretRoutes(
  app: App,
  deps: { database: Database; tenants: TenantDirectory; secrets: SecretBox; publicUrl: string },
): void {
  const { database, tenants, secrets, publicUrl } = deps;

  /** The answer that is kept for a repetition holds no secret: it is opened anew for each one. */
  const answerWithSecret = async (
    request: FastifyRequest,
    reply: FastifyReply,
    status: 200 | 201,
    work: (tx: TenantTransaction, quotas: Quotas) => Promise<CallSourceRow>,
  ) => {
    const { tenantId } = request;
    const scope = database.forTenant(tenantId);
    const { data } = await idempotent<ReturnType<typeof ok<CallSource>>>(
      { request, reply, scope },
      async (transaction) => {
        const { quotas } = await tenants.find(tenantId);
        return transaction(async (tx) => {
          const row = await work(tx, quotas);
          const location = pathTo(callsRoutes.getSource, { tenant_id: tenantId, id: row.id });
          const headers = { etag: etagOf(row.version), ...(status === 201 && { location }) };
          return { status, body: ok(callSourceRecord(row, publicUrl)), headers };
        });
      },
    );
    const source = await findSource(scope, data.id);
    if (!source) throw notFound('Call source');
    return ok({ ...data, secret: openedSecret(secrets, source) });
  };

  route(app, callsRoutes.createSource, async (request, reply) =>
    answerWithSecret(request, reply, 201, (tx, quotas) => createSource(tx, secrets, request.body, quotas)),
  );

  route(app, callsRoutes.rotateSecret, async (request, reply) => {
    const { params, body } = request;
    return answerWithSecret(request, reply, 200, (tx) =>
      rotateSourceSecret(tx, secrets, params.id, { given: body.secret, requireVersion: matching(request) }),
    );
  });
}

/** @throws AppError `quota_exceeded`; `validation_failed` where the provider dictates the secret and none is given */
async function createSource(
  tx: TenantTransaction,
  secrets: SecretBox,
  { provider, name, settings, secret }: CreateCallSource,
  quotas: Quotas,
): Promise<CallSourceRow> {
  // Paused sources count too, so that resuming one needs no check.
  requireQuota('call_sources', { used: await countSourcesLocked(tx), allowed: quotas.call_sources });
  const token = newToken();
  const sealed = sealedSecret(secrets, { tenant_id: tx.tenantId, token, provider }, secret);
  return insertSource(tx, { token, provider, name, settings, ...sealed });
}

/**
 * Replaces the secret; the one before is void at once, as it is at the provider.
 * @throws AppError `not_found`, `precondition_failed`, `validation_failed`
 */
async function rotateSourceSecret(
  tx: TenantTransaction,
  secrets: SecretBox,
  id: number,
  { given, requireVersion }: { given: string | null | undefined; requireVersion: RequireVersion },
): Promise<CallSourceRow> {
  const source = await lockSource(tx, id);
  if (!source) throw notFound('Call source');
  requireVersion(source.version);
  return updateSource(tx, id, sealedSecret(secrets, source, given));
}
