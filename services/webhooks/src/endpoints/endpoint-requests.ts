import { type CreateEndpoint, ENDPOINT_SCOPES, type UpdateEndpoint } from '@frontdesk/contracts';
import type { Answer, Database, TenantTransaction } from '@frontdesk/database';
import { matching, namesVersion, ok, requireScopes } from '@frontdesk/service';
import { idempotent } from '@frontdesk/wiring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SigningSecrets } from '../secrets/signing-secrets.cache.ts';
import {
  changeEndpoint,
  createEndpoint,
  faultsOfUrl,
  removeEndpoint,
  requireEndpointUrl,
  rotateSecret,
  type UrlCheck,
} from './change-endpoint.ts';
import { findEndpoint } from './endpoint.repository.ts';
import type { EndpointShownRow } from './endpoint.rules.ts';

export interface EndpointDeps extends UrlCheck {
  database: Database;
  secrets: SigningSecrets;
  /** There is something to deliver, perhaps. */
  onQueued: () => void;
}

type With<Parts> = FastifyRequest & Parts;
type OfOne<Parts = unknown> = With<{ params: { id: number } } & Parts>;

/** An endpoint as a port shows it, with its ETag. */
interface Shown<Record> extends Pick<Answer, 'headers'> {
  record: Record;
  etag: string;
}

type Show<Record> = (row: EndpointShownRow) => Shown<Record>;

/** What requests change about endpoints, whichever port they come by: what differs is how an endpoint is shown. */
export function endpointRequests(deps: EndpointDeps) {
  const { database, secrets, onQueued } = deps;
  return {
    /** A url that can't be an endpoint's, beside the faults that the schema finds. */
    async moreFieldFaults({ body }: FastifyRequest) {
      const { url } = (body ?? {}) as { url?: unknown };
      return (typeof url === 'string' && (await faultsOfUrl(deps, url))) || {};
    },

    create<Record extends { id: number }>(
      request: With<{ body: CreateEndpoint }>,
      reply: FastifyReply,
      show: Show<Record>,
    ) {
      const { body, identity } = request;
      const check = () => requireEndpointUrl(deps, body.url);
      return answerWithSecret({ request, reply, database, secrets, check }, async (tx) => {
        const { row, secret } = await createEndpoint(tx, secrets, body, identity);
        return { status: 201, secret, ...show(row) };
      });
    },

    async update(request: OfOne<{ body: UpdateEndpoint }>) {
      const { params, body, tenantId, identity: by } = request;
      if (body.url !== undefined) await requireEndpointUrl(deps, body.url);
      const change = { by, requireVersion: matching(request) };
      const row = await database
        .forTenant(tenantId)
        .transaction((tx) => changeEndpoint(tx, secrets, params.id, body, change));
      if (row.is_active) onQueued();
      return row;
    },

    rotateSecret<Record extends { id: number }>(
      request: OfOne<{ body: { force: boolean } }>,
      reply: FastifyReply,
      show: Show<Record>,
    ) {
      const { params, body, identity: by } = request;
      const change = { force: body.force, by, requireVersion: matching(request) };
      return answerWithSecret({ request, reply, database, secrets }, async (tx) => {
        const { row, secret } = await rotateSecret(tx, secrets, params.id, change);
        return { status: 200, secret, ...show(row) };
      });
    },

    async remove(request: OfOne) {
      const { params, tenantId, identity: by } = request;
      const change = { by, requireVersion: matching(request) };
      await database.forTenant(tenantId).transaction((tx) => removeEndpoint(tx, params.id, change));
      return ok({ id: params.id, deleted: true as const });
    },
  };
}

/** What a request made: the record as it is answered, and the secret that is shown beside it. */
interface Made<Record> extends Shown<Record> {
  status: number;
  secret: string;
}

/**
 * Runs a POST once for its `Idempotency-Key`, and shows the secret that it made with its answer. The stored answer
 * holds no secret. A repetition shows the endpoint's secret while the endpoint is still at that version, and none afterwards.
 * @param options.check comes before the transaction
 * @throws AppError `insufficient_scope` for a repetition by somebody who may not change the endpoint
 */
async function answerWithSecret<Record extends { id: number }>(
  options: {
    request: FastifyRequest;
    reply: FastifyReply;
    database: Database;
    secrets: SigningSecrets;
    check?: () => Promise<void>;
  },
  make: (tx: TenantTransaction) => Promise<Made<Record>>,
) {
  const { request, reply, database, secrets, check } = options;
  const { tenantId } = request;
  const scope = database.forTenant(tenantId);
  let newSecret: string | undefined;
  const { data } = await idempotent<ReturnType<typeof ok<Record>>>(
    { request, reply, scope },
    async (transaction) => {
      await check?.();
      return transaction(async (tx) => {
        const { status, headers, record, etag, secret } = await make(tx);
        newSecret = secret;
        return { status, body: ok(record), headers: { etag, ...headers } };
      });
    },
  );
  if (newSecret !== undefined) return ok({ ...data, secret: newSecret });
  const stored = await findEndpoint(scope, data.id);
  // The repetition may come with another key; which scopes an endpoint had that is deleted by now, nobody knows.
  requireScopes(request.identity, stored?.scopes ?? ENDPOINT_SCOPES);
  if (stored === null || !namesVersion(String(reply.getHeader('etag')), stored.version)) return ok(data);
  return ok({ ...data, secret: secrets.open({ tenantId, endpointId: data.id }, stored.secret) });
}
