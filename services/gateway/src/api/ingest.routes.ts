import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ingestPath } from '@frontdesk/contracts';
import { AppError } from '@frontdesk/service';
import type { Answer } from '../clients/backend-answer.ts';
import type { Upstream } from '../clients/upstream.ts';
import { withoutFrontdeskKey } from '../domain/credentials.ts';
import { messageHeaders } from '../domain/headers.ts';
import { INGEST_PREFIX, isSourcePath, isSourceToken, sourceTokenIn } from '../domain/ingest-address.ts';
import { createKnownSources } from '../domain/known-sources.ts';
import { perMinute, tighterWindow } from '../domain/rate-limit.ts';
import type { Limiter } from '../use-cases/limit-request.ts';
import type { MessageReaders } from './body-readers.ts';
import { type FailedAttempts, tooMany } from './failed-attempts.ts';
import { forward } from './forward.ts';
import type { RequestContext, Route } from './request-context.ts';

/** Kinds of attempts: what failed, and what was let through all the same from an address that had failed too often. */
const FAILED = 'ingest-address';
const SUSPECT = 'ingest-suspect';

/**
 * What providers send, each message to a tenant's own address. No key and no identity: the message goes on byte by byte
 * the same, with the headers and the query that its signature may cover, and the backend verifies it.
 */
export function ingestRoutes(deps: {
  upstream: Upstream;
  limiter: Limiter;
  /** Messages to one source. */
  ratePerMinute: number;
  failedAttempts: FailedAttempts;
  readMessage: MessageReaders;
}): Route[] {
  const { upstream, limiter, failedAttempts, readMessage } = deps;
  const windows = perMinute(deps.ratePerMinute);
  const knownSources = createKnownSources();

  const missing = async (request: IncomingMessage) =>
    (await failedAttempts.count(FAILED, request)) ?? new AppError('not_found', 'Not found.');

  /** How a message to the source is read, which is not at all from whoever tries addresses out. */
  const standingOf = async (request: IncomingMessage, source: string): Promise<keyof MessageReaders> => {
    if (knownSources.has(source)) return 'known';
    if (!failedAttempts.refusal(FAILED, request)) return 'unknown';
    // As many as one source may send: one that is gone, of a provider that doesn't mind, takes no new one's chance.
    const refusal = await failedAttempts.count(SUSPECT, request, windows);
    if (refusal) throw refusal;
    return 'suspect';
  };

  const answer = async (context: RequestContext) => {
    const { request, id: requestId, traceparent } = context;
    const token = sourceTokenIn(context.routePath);
    if (!isSourceToken(token)) throw await missing(request);
    // Whoever knows an address may write to it: counters, which others can read, don't hold it.
    const source = hash('sha256', token, 'base64url');
    const standing = await standingOf(request, source);
    const decision = await limiter.take(`ingest:${source}`, windows);
    if (!decision.allowed) throw tooMany('Too many messages.', tighterWindow(decision).secondsLeft);
    const body = await readMessage[standing](context);
    await forward(context, {
      upstream,
      query: withoutFrontdeskKey(context.query),
      headers: messageHeaders(request.headers, { requestId, traceparent, bodyBytes: body?.length }),
      body,
      holder: source,
      async screen({ status }: Answer) {
        knownSources.learn(source, status);
        const isFailure = status === 401 || status === 404;
        const refusal = isFailure ? await failedAttempts.count(FAILED, request) : null;
        if (refusal) throw refusal;
      },
    });
  };

  const name = ingestPath(':source');
  return [
    { name, methods: ['POST'], takesNoKey: true, upstream: upstream.name, matches: isSourcePath, answer },
    {
      name: `${INGEST_PREFIX}/*`,
      methods: 'any',
      takesNoKey: true,
      matches: (path) => path === INGEST_PREFIX || path.startsWith(`${INGEST_PREFIX}/`),
      async answer({ request }) {
        throw await missing(request);
      },
    },
  ];
}
