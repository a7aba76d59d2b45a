import { MAX_BODY_BYTES, MAX_FEED_WAIT_SECONDS, type Operation } from '@frontdesk/contracts';
import type { App, AppError, Holder, IdentitySigner } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { type MemoryBudget, TENANT_MEMORY } from '../http/body-memory.limits.ts';
import { type Pace, readBodies } from '../http/request-body.ts';
import { METHODS, queryOf } from '../http/request-target.rules.ts';
import type { KeyAccess } from '../keys/api-key.rules.ts';
import { withoutApiKey } from '../keys/credentials.rules.ts';
import { upstreamHeaders } from './headers.rules.ts';
import { proxy } from './proxy.ts';
import type { Upstream, Upstreams } from './upstream.client.ts';

/** API v1: requests with a key, read whole and passed on to the service that owns the path. Register it after `authentication`. */
export async function apiRoutes(
  scope: App,
  options: {
    upstreams: Upstreams;
    /** The operations of API v1. */
    operations: readonly Operation[];
    signer: IdentitySigner;
    /** Memory for the bodies of requests. */
    budget: MemoryBudget;
    pace: Pace;
    takenWithinMs: number;
    /** Checks the key of a request that has waited: the client gets the error that it returns instead of the answer. */
    refusedMeanwhile: (request: FastifyRequest) => Promise<AppError | null>;
  },
): Promise<void> {
  const { upstreams, operations, signer, budget, pace, takenWithinMs, refusedMeanwhile } = options;
  await scope.register(readBodies, {
    budget,
    maxBytes: MAX_BODY_BYTES,
    boundsOf: ({ tenantId }) => [{ holder: tenantId, bytes: TENANT_MEMORY }],
    pace,
  });
  const ofWaits = {
    // A request that waits gets few events: compression would delay them for a few bytes.
    mayCompress: ({ url }: FastifyRequest) => !new URLSearchParams(queryOf(url)).has('wait'),
    screen: refusedMeanwhile,
    mayWaitMs: MAX_FEED_WAIT_SECONDS * 1_000,
    // Places of their own: a tenant's other requests don't wait behind those that wait.
    holderOf: ({ tenantId }: FastifyRequest) => `waiting:${tenantId}`,
  };
  const ofAnswers = { mayCompress: () => true, holderOf: ({ tenantId }: FastifyRequest) => tenantId };
  for (const [prefix, { owner, waits }] of prefixesOf(operations)) {
    const upstream = upstreams[owner];
    const how = waits ? ofWaits : ofAnswers;
    await scope.register(proxyRoutes, { prefix, upstream, signer, takenWithinMs, ...how });
  }
}

/** Of `/api/v1/appointments`. */
const PREFIX_PARTS = 4;

const prefixOf = ({ path }: Operation) => path.split('/', PREFIX_PARTS).join('/');

/** The prefixes of API v1, each with the service that owns the paths below it, and whether requests may wait there. */
const prefixesOf = (operations: readonly Operation[]) =>
  new Map(
    operations.map((one) => {
      const prefix = prefixOf(one);
      const waits = operations.some((other) => prefixOf(other) === prefix && other.waits);
      return [prefix, { owner: one.owner, waits }];
    }),
  );

/** Everything at and below the prefix that it is registered with, with the client's identity. */
async function proxyRoutes(
  scope: App,
  options: {
    upstream: Upstream;
    signer: IdentitySigner;
    takenWithinMs: number;
    mayCompress: (request: FastifyRequest) => boolean;
    holderOf: (request: FastifyRequest) => Holder;
    mayWaitMs?: number;
    screen?: (request: FastifyRequest) => Promise<AppError | null>;
  },
): Promise<void> {
  const { upstream, signer, ...how } = options;
  await scope.register(proxy, {
    ...how,
    upstream,
    methods: METHODS,
    isCatchAll: true,
    routes: ['', '/*'],
    queryFor: withoutApiKey,
    // Signed after the body has come, which may take longer than an identity is valid.
    async headersOf({ method, raw, id: requestId, traceparent, access, body }) {
      const { tenantId, keyId, plan, scopes } = access as KeyAccess;
      const identity = await signer.sign({
        audience: upstream.name,
        role: 'integrator',
        tenantId,
        keyId,
        plan,
        scopes,
      });
      const bodyBytes = Buffer.isBuffer(body) ? body.length : undefined;
      return upstreamHeaders(raw.headers, { method, identity, requestId, traceparent, bodyBytes });
    },
  });
}
