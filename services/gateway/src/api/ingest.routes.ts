import { hash } from 'node:crypto';
import { ingestPath } from '@frontdesk/contracts';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import type { Upstream } from '../clients/upstream.ts';
import { withoutFrontdeskKey } from '../domain/credentials.ts';
import { messageHeaders } from '../domain/headers.ts';
import { perMinute, tighterWindow } from '../domain/rate-limit.ts';
import type { Limiter } from '../use-cases/limit-request.ts';
import { type FailedAttempts, tooMany } from './failed-attempts.ts';
import { forwardTo } from './forward.ts';
import type { BodyReader } from './request-body.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether requests get here without an API key; what lets them in then is another's to say. */
    takesNoKey?: boolean;
  }
}

const PREFIX = '/ingest';
/** The opaque part of a source's address. */
const TOKEN = /^[A-Za-z0-9]{16,128}$/;
const SOURCE_PATH = new RegExp(`^${ingestPath('[^/]+')}$`);

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
    readBody: BodyReader;
  },
): Promise<void> {
  const { upstream, limiter, failedAttempts, readBody } = deps;
  const windows = perMinute(deps.ratePerMinute);
  const refusalOf = (request: FastifyRequest, failure: AppError) =>
    failedAttempts.judge('ingest-address', request, failure);

  await api.register(
    async (ingest: App) => {
      ingest.decorate('takesNoKey', true);
      ingest.setNotFoundHandler(async (request) => {
        if (!SOURCE_PATH.test(pathOf(request))) throw await refusalOf(request, notFound());
        throw new AppError('method_not_allowed', 'This method is not allowed here.', {
          headers: { allow: 'POST' },
        });
      });
      await forwardTo(ingest, {
        prefix: ingestPath(':source').slice(PREFIX.length),
        upstream,
        routes: [''],
        methods: ['POST'],
        queryFrom: withoutFrontdeskKey,
        async prepare(request, reply) {
          const { source } = request.params as { source: string };
          if (!TOKEN.test(source)) throw await refusalOf(request, notFound());
          // Whoever knows an address may write to it: counters, which others can read, don't hold it.
          const decision = await limiter.take(`ingest:${hash('sha256', source, 'base64url')}`, windows);
          if (!decision.allowed) throw tooMany('Too many messages.', tighterWindow(decision).secondsLeft);
          const body = await readBody(request, reply);
          const screen = async (answer: Dispatcher.ResponseData) => {
            if (answer.statusCode !== 401 && answer.statusCode !== 404) return answer;
            const refusal = await refusalOf(request, unchanged);
            if (refusal === unchanged) return answer;
            await answer.body.dump();
            throw refusal;
          };
          return {
            clientSide: { response: reply.raw, body, screen },
            headersOf: (headers) =>
              messageHeaders(headers, { requestId: request.id, bodyBytes: body?.length }),
          };
        },
      });
    },
    { prefix: PREFIX },
  );
}

/** Stands for the answer as it came. */
const unchanged = new AppError('not_found', 'Not found.');

const notFound = () => new AppError('not_found', 'Not found.');
const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] as string;

/** A path as logs may hold it: without the address of a source. */
export const loggedPath = (url: string): string =>
  (url.split('?', 1)[0] as string).replace(/^(\/ingest\/calls\/)[^/]+/, '$1…');
