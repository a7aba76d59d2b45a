import { hash } from 'node:crypto';
import { ingestPath } from '@frontdesk/contracts';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import type { Answer } from '../clients/backend-answer.ts';
import type { Upstream } from '../clients/upstream.ts';
import { withoutFrontdeskKey } from '../domain/credentials.ts';
import { messageHeaders } from '../domain/headers.ts';
import { INGEST_PREFIX, isSourcePath, isSourceToken } from '../domain/ingest-address.ts';
import { createKnownSources } from '../domain/known-sources.ts';
import { perMinute, tighterWindow } from '../domain/rate-limit.ts';
import type { Limiter } from '../use-cases/limit-request.ts';
import type { MessageReaders } from './body-readers.ts';
import { type FailedAttempts, tooMany } from './failed-attempts.ts';
import { forwardTo } from './forward.ts';

/** Kinds of attempts: what failed, and what was let through all the same from an address that had failed too often. */
const FAILED = 'ingest-address';
const SUSPECT = 'ingest-suspect';

/**
 * What providers send, each message to a tenant's own address. No key and no identity: the message goes on byte by byte
 * the same, with the headers and the query that its signature may cover, and the backend verifies it.
 */
export async function ingestRoutes(
  api: App,
  deps: {
    upstream: Upstream;
    limiter: Limiter;
    /** Messages to one source. */
    ratePerMinute: number;
    failedAttempts: FailedAttempts;
    readMessage: MessageReaders;
  },
): Promise<void> {
  const { upstream, limiter, failedAttempts, readMessage } = deps;
  const windows = perMinute(deps.ratePerMinute);
  const knownSources = createKnownSources();

  const missing = async (request: FastifyRequest) =>
    (await failedAttempts.count(FAILED, request)) ?? new AppError('not_found', 'Not found.');

  /** How a message to the source is read, which is not at all from whoever tries addresses out. */
  const standingOf = async (request: FastifyRequest, source: string): Promise<keyof MessageReaders> => {
    if (knownSources.has(source)) return 'known';
    if (!failedAttempts.refusal(FAILED, request)) return 'unknown';
    // As many as one source may send: one that is gone, of a provider that doesn't mind, takes no new one's chance.
    const refusal = await failedAttempts.count(SUSPECT, request, windows);
    if (refusal) throw refusal;
    return 'suspect';
  };

  await api.register(
    async (ingest: App) => {
      ingest.decorate('takesNoKey', true);
      ingest.addHook('onRequest', async (request) => takeAnyType(request));
      ingest.setNotFoundHandler(async (request) => {
        if (!isSourcePath(request.url)) throw await missing(request);
        throw new AppError('method_not_allowed', 'This method is not allowed here.', {
          headers: { allow: 'POST' },
        });
      });
      forwardTo(ingest, {
        urls: [ingestPath(':source').slice(INGEST_PREFIX.length)],
        upstream,
        methods: ['POST'],
        queryFrom: withoutFrontdeskKey,
        async prepare(request, reply) {
          const { source: token } = request.params as { source: string };
          if (!isSourceToken(token)) throw await missing(request);
          // Whoever knows an address may write to it: counters, which others can read, don't hold it.
          const source = hash('sha256', token, 'base64url');
          const standing = await standingOf(request, source);
          const decision = await limiter.take(`ingest:${source}`, windows);
          if (!decision.allowed) throw tooMany('Too many messages.', tighterWindow(decision).secondsLeft);
          const body = await readMessage[standing](request, reply);
          if (reply.raw.destroyed) return null;
          const screen = async ({ status }: Answer) => {
            knownSources.learn(source, status);
            const refusal =
              status === 401 || status === 404 ? await failedAttempts.count(FAILED, request) : null;
            if (refusal) throw refusal;
          };
          const { id: requestId, traceparent } = request;
          const added = { requestId, traceparent, bodyBytes: body?.length };
          return { headers: messageHeaders(request.raw.headers, added), body, holder: source, screen };
        },
      });
    },
    { prefix: INGEST_PREFIX },
  );
}

/**
 * Fastify refuses a body whose type it can't make out, which is not for us to judge. It looks at these headers; what is
 * forwarded are the raw ones.
 */
function takeAnyType(request: FastifyRequest): void {
  request.headers = { 'content-type': 'application/octet-stream' };
}
