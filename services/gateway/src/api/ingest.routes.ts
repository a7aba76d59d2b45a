import { hash } from 'node:crypto';
import { ingestPath, MAX_INGEST_BYTES } from '@frontdesk/contracts';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import type { CallSources } from '../clients/call-sources.client.ts';
import { CALL, type Upstream } from '../clients/upstream.ts';
import { withoutFrontdeskKey } from '../domain/credentials.ts';
import { messageHeaders } from '../domain/headers.ts';
import { INGEST_PREFIX, isSourceToken } from '../domain/ingest-address.ts';
import { perMinute } from '../domain/rate-limit.ts';
import { pathOf, queryOf, targetOf } from '../domain/request-target.ts';
import { ADDRESS_MEMORY, type MemoryBudget, SOURCE_MEMORY } from '../state/memory-budget.ts';
import type { FailedAttempts } from './failed-attempts.ts';
import { type Limiter, tooMany } from './limiter.ts';
import { ANY_METHOD } from './proxy.routes.ts';
import { proxy } from './proxy.ts';
import { createBodyReader } from './request-body.ts';

/** The kind of attempts that fail here. */
const FAILED = 'ingest-address';
/** What has to come of a message in each `paceMs`. */
const PACE_BYTES = 160 * 1024;

/**
 * What providers send, each message to a tenant's own address. No key and no identity: the message goes on byte by byte
 * the same, with the headers and the query that its signature may cover, and the backend verifies it.
 */
export function ingestRoutes(
  app: App,
  deps: {
    upstream: Upstream;
    sources: CallSources;
    limiter: Limiter;
    /** Messages to one source. */
    ratePerMinute: number;
    failedAttempts: FailedAttempts;
    /** For the messages under way. */
    budget: MemoryBudget;
    paceMs: number;
    takenWithinMs: number;
  },
): void {
  const { upstream, sources, limiter, failedAttempts, takenWithinMs } = deps;
  const windows = perMinute(deps.ratePerMinute);
  const readMessage = createBodyReader({
    budget: deps.budget,
    maxBytes: MAX_INGEST_BYTES,
    boundsOf: (request) => [
      { holder: tokenOf(request), bytes: SOURCE_MEMORY },
      { holder: failedAttempts.addressOf(request), bytes: ADDRESS_MEMORY },
    ],
    pace: { bytes: PACE_BYTES, everyMs: deps.paceMs },
  });

  const missing = async (request: FastifyRequest) =>
    (await failedAttempts.count(FAILED, request)) ?? new AppError('not_found', 'Not found.');
  const isSuspect = (request: FastifyRequest) => failedAttempts.refusal(FAILED, request) !== null;

  void app.register(async (scope: App) => {
    // Before anything of the body is read.
    scope.addHook('onRequest', async (request) => {
      const token = tokenOf(request);
      const isThere = isSourceToken(token) && (await sources.has(token, () => isSuspect(request)));
      if (!isThere) throw await missing(request);
      const decision = await limiter.take(request, `ingest:${nameOf(token)}`, windows);
      if (!decision.allowed) throw tooMany('Too many messages.', decision);
    });
    await proxy(scope, {
      ...{ upstream, takenWithinMs },
      prefix: ingestPath('').replace(/\/$/, ''),
      routes: ['/:source'],
      methods: ['POST'],
      takesNoKey: true,
      async prepare(request, reply) {
        const { url, raw, id: requestId, traceparent } = request;
        const body = await readMessage(request, reply);
        const added = { requestId, traceparent, bodyBytes: body?.length };
        const path = targetOf(pathOf(url), withoutFrontdeskKey(queryOf(url)));
        return {
          ...messageHeaders(raw.headers, added),
          [CALL]: { client: reply.raw, path, body, holder: nameOf(tokenOf(request)) },
        };
      },
      screen(request, status) {
        if (status === 404) sources.forget(tokenOf(request));
        return status === 401 || status === 404 ? failedAttempts.count(FAILED, request) : null;
      },
    });
  });

  const config = { takesNoKey: true, isCatchAll: true };
  const handler = () => {};
  app.route({
    method: ANY_METHOD.filter((method) => method !== 'POST'),
    url: ingestPath(':source'),
    onRequest: (_request, _reply, done) => done(onlyPost()),
    ...{ config, handler },
  });
  // Whatever else is below the prefix needs no key either, and leads nowhere.
  for (const url of [INGEST_PREFIX, `${INGEST_PREFIX}/*`])
    app.route({
      method: ANY_METHOD,
      url,
      async onRequest(request) {
        throw await missing(request);
      },
      ...{ config, handler },
    });
}

const tokenOf = (request: FastifyRequest): string => (request.params as { source: string }).source;

/** Anyone who knows an address may write to it: counters, which others can read, don't hold it. */
const nameOf = (token: string) => hash('sha256', token, 'base64url');

const onlyPost = () =>
  new AppError('method_not_allowed', 'This method is not allowed here.', { headers: { allow: 'POST' } });
