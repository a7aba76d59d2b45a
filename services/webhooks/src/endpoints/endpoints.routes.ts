import { pathTo, webhooksRoutes } from '@frontdesk/contracts';
import type { Answer, Database, TenantTransaction } from '@frontdesk/database';
import { type App, etagOf, matching, notFound, ok, route, versioned } from '@frontdesk/service';
import { idempotent } from '@frontdesk/wiring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SigningSecrets } from '../secrets/signing-secrets.cache.ts';
import {
  changeEndpoint,
  createEndpoint,
  faultsOfUrl,
  requireEndpointUrl,
  rotateSecret,
  type UrlCheck,
} from './change-endpoint.ts';
import {
  deleteEndpoint,
  findEndpoint,
  findEndpointWithHealth,
  listEndpointsWithHealth,
} from './endpoint.repository.ts';
import { endpointAdminRecord, endpointRecord } from './endpoint.rules.ts';

export interface EndpointRoutesDeps extends UrlCheck {
  database: Database;
  secrets: SigningSecrets;
  /** There is something to deliver, perhaps. */
  onQueued: () => void;
}

export function endpointRoutes(app: App, deps: EndpointRoutesDeps): void {
  const { database, secrets, onQueued } = deps;
  /** A url that can't be an endpoint's, beside the faults that the schema finds. */
  const moreFieldFaults = async ({ body }: FastifyRequest) => {
    const { url } = (body ?? {}) as { url?: unknown };
    return (typeof url === 'string' && (await faultsOfUrl(deps, url))) || {};
  };

  route(
    app,
    webhooksRoutes.createEndpoint,
    async (request, reply) => {
      const { body, tenantId } = request;
      const check = () => requireEndpointUrl(deps, body.url);
      return answerWithSecret({ request, reply, database, secrets, check }, async (tx) => {
        const { row, secret } = await createEndpoint(tx, secrets, body);
        const headers = { location: pathTo(webhooksRoutes.getEndpoint, { tenant_id: tenantId, id: row.id }) };
        return { status: 201, headers, record: endpointRecord(row), version: row.version, secret };
      });
    },
    { moreFieldFaults },
  );

  route(app, webhooksRoutes.listEndpoints, async ({ tenantId }) =>
    ok((await listEndpointsWithHealth(database.forTenant(tenantId))).map(endpointAdminRecord)),
  );

  route(app, webhooksRoutes.getEndpoint, async ({ tenantId, params }, reply) => {
    const row = await findEndpointWithHealth(database.forTenant(tenantId), params.id);
    if (row === null) throw notFound('Webhook endpoint');
    return versioned(reply, row.version, endpointAdminRecord(row));
  });

  route(
    app,
    webhooksRoutes.updateEndpoint,
    async (request, reply) => {
      const { params, body, tenantId } = request;
      if (body.url !== undefined) await requireEndpointUrl(deps, body.url);
      const row = await database
        .forTenant(tenantId)
        .transaction((tx) => changeEndpoint(tx, params.id, body, matching(request)));
      if (row.is_active) onQueued();
      return versioned(reply, row.version, endpointAdminRecord(row));
    },
    { moreFieldFaults },
  );

  route(app, webhooksRoutes.rotateSecret, async (request, reply) => {
    const options = { force: request.body.force, requireVersion: matching(request) };
    return answerWithSecret({ request, reply, database, secrets }, async (tx) => ({
      status: 200,
      ...(await rotateSecret(tx, secrets, request.params.id, options)),
    }));
  });

  route(app, webhooksRoutes.deleteEndpoint, async ({ tenantId, params: { id } }) => {
    const scope = database.forTenant(tenantId);
    if (!(await scope.transaction((tx) => deleteEndpoint(tx, id)))) throw notFound('Webhook endpoint');
    return ok({ id, deleted: true as const });
  });
}

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
async function answerWithSecret<Shown extends { id: number }>(
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
