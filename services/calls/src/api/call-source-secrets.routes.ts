import { idempotent } from '@frontdesk/chassis';
import {
  type CallSource,
  callSourceWithSecret,
  createCallSourceBody,
  dataOf,
  pathId,
  type Quotas,
  rotateCallSourceBody,
} from '@frontdesk/contracts';
import type { Database, TenantTransaction } from '@frontdesk/database';
import { type App, etagOf, matching, notFound, ok, type SecretBox } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findSource } from '../data/call-source.repository.ts';
import { type CallSourceRow, callSourceRecord } from '../domain/call-source.ts';
import { createSource } from '../use-cases/create-source.ts';
import { rotateSourceSecret } from '../use-cases/rotate-source.ts';
import { openedSecret } from '../use-cases/source-secret.ts';
import { SOURCES } from './call-sources.routes.ts';

const config = { resource: 'Call source' };
const shown = dataOf(callSourceWithSecret);

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
          const location = `${SOURCES.replace(':tenant_id', String(tenantId))}/${row.id}`;
          const headers = { etag: etagOf(row.version), ...(status === 201 && { location }) };
          return { status, body: ok(callSourceRecord(row, publicUrl)), headers };
        });
      },
    );
    const source = await findSource(scope, data.id);
    if (!source) throw notFound(config.resource);
    return ok({ ...data, secret: openedSecret(secrets, source) });
  };

  app.post(
    SOURCES,
    { schema: { body: createCallSourceBody, response: { 201: shown } } },
    async (request, reply) =>
      answerWithSecret(request, reply, 201, (tx, quotas) => createSource(tx, secrets, request.body, quotas)),
  );

  app.post(
    `${SOURCES}/:id/rotate`,
    { config, schema: { params: pathId.loose(), body: rotateCallSourceBody, response: { 200: shown } } },
    async (request, reply) => {
      const { params, body } = request;
      return answerWithSecret(request, reply, 200, (tx) =>
        rotateSourceSecret(tx, secrets, params.id, { given: body.secret, requireVersion: matching(request) }),
      );
    },
  );
}
