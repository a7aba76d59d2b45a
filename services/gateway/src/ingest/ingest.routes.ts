import { hash } from 'node:crypto';
import { ingestPath, MAX_INGEST_BYTES, type RefusedByGateway } from '@frontdesk/contracts';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { ADDRESS_MEMORY, type MemoryBudget, TENANT_MEMORY } from '../http/body-memory.limits.ts';
import { type Pace, readBodies } from '../http/request-body.ts';
import { ANY_METHOD, withoutLastSlashes } from '../http/request-target.rules.ts';
import { withoutFrontdeskKey } from '../keys/credentials.rules.ts';
import type { AddressOf, FailedAttempts } from '../limits/failed-attempts.ts';
import { type CreateLimiter, tooMany } from '../limits/limiter.ts';
import { MINUTE } from '../limits/rate-limit.rules.ts';
import { messageHeaders } from '../proxy/headers.rules.ts';
import { proxy } from '../proxy/proxy.ts';
import type { Upstream } from '../proxy/upstream.client.ts';
import type { CallSources } from './call-sources.client.ts';
import { INGEST_PREFIX, isSourceToken } from './ingest-address.rules.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who a message counts for: its tenant, or its source where calls is of an earlier release, which does not name the tenant. */
    messagesOf: number | string;
  }
}

/**
 * Passes on the messages of providers, each sent to an address of a tenant's own. They need no key and get no identity. Body, headers
 * and query stay as they came, since the signature may cover them; calls verifies it.
 */
export async function ingestRoutes(
  scope: App,
  options: {
    upstream: Upstream;
    sources: CallSources;
    createLimiter: CreateLimiter;
    /** Messages to one source. */
    ratePerMinute: number;
    failedAttempts: FailedAttempts;
    addressOf: AddressOf;
    /** Memory for the bodies of messages. */
    budget: MemoryBudget;
    pace: Pace;
    takenWithinMs: number;
    /** The gateway has refused a message to an existing source. */
    onRefused: (token: string, reason: RefusedByGateway['reason']) => void;
  },
): Promise<void> {
  const { upstream, sources, failedAttempts, addressOf, budget, pace, takenWithinMs, onRefused } = options;
  const limiter = options.createLimiter({
    name: 'ingest',
    keyOf: (request) => `ingest:${nameOf(tokenOf(request))}`,
    windows: [{ name: 'minute', seconds: MINUTE, limitOf: () => options.ratePerMinute }],
  });
  const missing = async (request: FastifyRequest) =>
    (await failedAttempts.count(request)) ?? new AppError('not_found', 'Not found.');
  const isSuspect = (request: FastifyRequest) => failedAttempts.refusal(request) !== null;

  const messages = async (messageScope: App) => {
    messageScope.decorateRequest('messagesOf', '');
    // Before the body is read.
    messageScope.addHook('onRequest', async (request) => {
      const token = tokenOf(request);
      const source = isSourceToken(token) ? await sources.find(token, () => isSuspect(request)) : null;
      if (!source) throw await missing(request);
      request.messagesOf = source.tenantId ?? token;
      const decision = await limiter.take(request);
      if (decision.allowed) return;
      onRefused(token, 'too_many');
      throw tooMany('Too many messages.', decision);
    });
    messageScope.addHook('onError', (request, _reply, error, done) => {
      if (error instanceof AppError && error.code === 'payload_too_large')
        onRefused(tokenOf(request), 'too_large');
      done();
    });
    await messageScope.register(readBodies, {
      budget,
      maxBytes: MAX_INGEST_BYTES,
      boundsOf: (request) => [
        { holder: request.messagesOf, bytes: TENANT_MEMORY },
        { holder: addressOf(request), bytes: ADDRESS_MEMORY },
      ],
      pace,
    });
    await messageScope.register(proxy, {
      upstream,
      takenWithinMs,
      routes: ['/:source'],
      methods: ['POST'],
      takesNoKey: true,
      queryFor: withoutFrontdeskKey,
      holderOf: ({ messagesOf }) => `messages:${messagesOf}`,
      headersOf({ raw, id: requestId, traceparent, body }) {
        const bodyBytes = Buffer.isBuffer(body) ? body.length : undefined;
        return messageHeaders(raw.headers, { requestId, traceparent, bodyBytes });
      },
      screen(request, status) {
        if (status === 404) sources.forget(tokenOf(request));
        return status === 401 || status === 404 ? failedAttempts.count(request) : null;
      },
    });
  };
  await scope.register(messages, { prefix: withoutLastSlashes(ingestPath('')) });

  const config = { takesNoKey: true, isCatchAll: true };
  const handler = () => {};
  scope.route({
    method: ANY_METHOD.filter((method) => method !== 'POST'),
    url: ingestPath(':source'),
    onRequest: (_request, _reply, done) => done(onlyPost()),
    config,
    handler,
  });
  // Every other path below the prefix needs no key either, and gets 404.
  for (const url of [INGEST_PREFIX, `${INGEST_PREFIX}/*`])
    scope.route({
      method: ANY_METHOD,
      url,
      async onRequest(request) {
        throw await missing(request);
      },
      config,
      handler,
    });
}

const tokenOf = (request: FastifyRequest): string => (request.params as { source: string }).source;

/** Whoever knows a token can send messages. The names of counters in Redis hold its hash, as other programs may read them. */
const nameOf = (token: string) => hash('sha256', token, 'base64url');

const onlyPost = () =>
  new AppError('method_not_allowed', 'This method is not allowed here.', { headers: { allow: 'POST' } });
