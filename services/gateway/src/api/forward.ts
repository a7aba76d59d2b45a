import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { App } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Answer } from '../clients/backend-answer.ts';
import type { Upstream } from '../clients/upstream.ts';
import { downstreamHeaders } from '../domain/headers.ts';
import { pathOf, queryOf } from '../domain/request-target.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the service that the route leads to. */
    upstream?: string;
  }
}

const METHODS: HTTPMethods[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

export interface Forward {
  /** What the backend gets of the client's headers. */
  headers: IncomingHttpHeaders;
  /** All of it; null where there is none. */
  body: Buffer | null;
  /** Whose room an answer takes that is not read as fast as it comes. */
  holder: number | string;
  /** Sees each answer before the client does; what it throws, the client gets instead. */
  screen(answer: Answer): void | Promise<void>;
}

/** Forwards requests to the backend under the same path, each as `prepare` says; what that throws is the answer. */
export function forwardTo(
  app: App,
  options: {
    urls: string[];
    methods?: HTTPMethods[];
    upstream: Upstream;
    /** Null where the client has gone meanwhile. */
    prepare: (request: FastifyRequest, reply: FastifyReply) => Promise<Forward | null>;
    /** What the backend gets of the query. */
    queryFrom: (query: string) => string;
  },
): void {
  const { urls, methods = METHODS, upstream, prepare, queryFrom } = options;

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const forward = await prepare(request, reply);
    if (!forward) return reply.hijack();
    const { headers, body, holder, screen } = forward;
    const { method, url } = request;
    try {
      const path = pathWith(url, queryFrom(queryOf(url)));
      const answer = await upstream.call({ method, path, headers, body }, reply.raw, holder);
      await sendOn(answer, screen, reply);
    } catch (error) {
      // A client that went away hears no answer, and its backend is not to blame for there being none.
      if (!reply.raw.destroyed) throw error;
      reply.hijack();
    }
  };
  for (const url of urls) app.route({ method: methods, url, config: { upstream: upstream.name }, handler });
}

async function sendOn(answer: Answer, screen: Forward['screen'], reply: FastifyReply): Promise<void> {
  try {
    await screen(answer);
  } catch (error) {
    answer.drop();
    throw error;
  }
  reply.hijack();
  const headers: OutgoingHttpHeaders = downstreamHeaders(answer.headers);
  const length = answer.length();
  if (length !== null) headers['content-length'] = length;
  reply.raw.writeHead(answer.status, Object.assign(headers, reply.getHeaders()));
  answer.sendBody(reply.raw);
}

function pathWith(target: string, query: string): string {
  const path = pathOf(target);
  return query === '' ? path : `${path}?${query}`;
}
