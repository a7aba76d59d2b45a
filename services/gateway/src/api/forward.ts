import type { IncomingHttpHeaders } from 'node:http';
import httpProxy from '@fastify/http-proxy';
import type { App } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { CLIENT_SIDE, type ClientSide, type Upstream } from '../clients/upstream.ts';
import { downstreamHeaders } from '../domain/headers.ts';
import { queryOf } from '../domain/request-target.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the service that the route leads to. */
    upstream?: string;
  }
  interface FastifyRequest {
    /** What is decided about the request before it goes on to the backend. */
    forward: Forward | null;
  }
}

export interface Forward {
  clientSide: ClientSide;
  /** What the backend gets of the client's headers. */
  headersOf(headers: IncomingHttpHeaders): IncomingHttpHeaders;
}

/** Forwards requests to the backend under the same path, each as `prepare` says; what that throws is the answer. */
export async function forwardTo(
  app: App,
  options: {
    prefix: string;
    upstream: Upstream;
    prepare: (request: FastifyRequest, reply: FastifyReply) => Promise<Forward>;
    /** What the backend gets of the query. */
    queryFrom: (query: string) => string;
    /** At and below the prefix; everything unless said otherwise. */
    routes?: string[];
    methods?: HTTPMethods[];
  },
): Promise<void> {
  const { prefix, upstream, prepare, queryFrom, routes, methods } = options;
  if (!app.hasRequestDecorator('forward')) app.decorateRequest('forward', null);
  await app.register(httpProxy, {
    prefix,
    rewritePrefix: `${app.prefix}${prefix}`,
    upstream: upstream.url,
    undici: upstream.dispatcher,
    config: { upstream: upstream.name },
    ...(routes && { routes }),
    ...(methods && { httpMethods: methods }),
    // The app's own parser leaves bodies as they are.
    proxyPayloads: false,
    disableRequestLogging: true,
    internalRewriteLocationHeader: false,
    retryMethods: [],
    preHandler: (request, reply, done) => {
      prepare(request, reply).then((forward) => {
        request.forward = forward;
        done();
      }, done);
    },
    replyOptions: {
      queryString: (_search, target) => queryFrom(queryOf(target)),
      rewriteRequestHeaders: (request, headers) => {
        const { headersOf, clientSide } = request.forward as Forward;
        return Object.assign(headersOf(headers), { [CLIENT_SIDE]: clientSide });
      },
      rewriteHeaders: downstreamHeaders,
      onError: (reply, { error }) => {
        // A client that went away hears no answer, and its backend is not to blame for there being none.
        if (reply.raw.destroyed) reply.hijack();
        // The dispatcher's own error is the cause; the proxy's would tell the backend's address.
        else reply.send(error.cause ?? error);
      },
    },
  });
}
