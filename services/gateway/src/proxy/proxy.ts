import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import httpProxy from '@fastify/http-proxy';
import { type App, type AppError, type Holder, startSpan, traceparentOfSpan } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { allowCompression, encodingFor, sendCompressed } from '../http/compression.ts';
import { isNotModified, weakTag } from '../http/entity-tags.rules.ts';
import { unavailable } from '../http/errors.rules.ts';
import { queryOf } from '../http/request-target.rules.ts';
import { cacheHeaders } from '../http/response-headers.ts';
import { downstreamHeaders } from './headers.rules.ts';
import type { Upstream } from './upstream.client.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the service that the route leads to. */
    upstream?: string;
  }
  interface FastifyRequest {
    /** What the backend gets instead of the client's headers. */
    upstreamHeaders: IncomingHttpHeaders;
  }
}

interface ProxyOptions {
  upstream: Upstream;
  routes: string[];
  methods: string[];
  /** The backend decides which of the methods a path takes. */
  isCatchAll?: boolean;
  takesNoKey?: boolean;
  /** The headers that the backend gets, once the body has come. */
  headersOf: (request: FastifyRequest) => Promise<IncomingHttpHeaders> | IncomingHttpHeaders;
  /** The query that the backend gets, without what is for the gateway alone. */
  queryFor: (query: string) => string;
  /** Whose places the call takes. */
  holderOf: (request: FastifyRequest) => Holder;
  /** How long a request may wait for something to happen; without it, not at all. */
  mayWaitMs?: number;
  /** Checks the status of an answer: the client gets the error that it returns instead. */
  screen?: (request: FastifyRequest, status: number) => Promise<AppError | null> | null;
  /** Whether the answer may be compressed if its client accepts that. Without this function none is. */
  mayCompress?: (request: FastifyRequest) => boolean;
  /** Longest time that a client may take to read an answer. */
  takenWithinMs: number;
}

/** With this type @fastify/reply-from sends a body unchanged. The backend gets the client's own type, or none. */
const AS_IT_IS = 'application/octet-stream';

/** @fastify/http-proxy for the prefix of its scope, with the bodies that Fastify has read (http/request-body.ts). */
export const proxy = fp(async (app: App, options: ProxyOptions) => {
  const { upstream, isCatchAll = false, takesNoKey = false, mayCompress, mayWaitMs = 0 } = options;
  if (mayCompress) await allowCompression(app);
  app.decorateRequest('upstreamHeaders');
  app.addHook('preHandler', async (request) => {
    request.upstreamHeaders = await options.headersOf(request);
  });
  const answer = answering(options);

  await app.register(httpProxy, {
    upstream: upstream.url,
    undici: upstream.dispatcher,
    // The backend has the same paths.
    rewritePrefix: app.prefix,
    routes: options.routes,
    httpMethods: options.methods,
    config: { upstream: upstream.name, takesNoKey, isCatchAll },
    proxyPayloads: false,
    disableCache: true,
    disableRequestLogging: true,
    internalRewriteLocationHeader: false,
    replyOptions: {
      // What was sent is never sent again.
      retryDelay: () => null,
      rewriteHeaders(headers) {
        const kept = downstreamHeaders(headers);
        return takesNoKey ? kept : Object.assign(kept, cacheHeaders(headers));
      },
      // The plugin wraps the dispatcher's errors. It has one error of its own, for a status that Fastify does not know.
      onError: (reply, { error }) => void reply.send(error.cause ?? unavailable(error)),
    },
    handler(request, reply, path, replyOptions) {
      const { body = null, method, upstreamHeaders: headers, spentMs, url } = request;
      const span = startSpan(`${method} ${upstream.name}`, {
        kind: 'client',
        parent: request.traceparent,
        attributes: { 'http.request.method': method, 'service.peer.name': upstream.name },
      });
      if (span) headers.traceparent = traceparentOfSpan(span);
      const call = { client: reply.raw, holder: options.holderOf(request), spentMs, mayWaitMs, span };
      upstream.make(call, () => {
        reply.from(path, {
          ...replyOptions,
          body,
          contentType: AS_IT_IS,
          queryString: () => options.queryFor(queryOf(url)),
          rewriteRequestHeaders: () => headers,
          onResponse: (_request, _reply, { stream }) => answer(request, reply, stream),
        });
      });
    },
  });
});

/** What the client gets of a backend's answer, whose status and headers the reply has. */
function answering({ screen, mayCompress, takesNoKey, takenWithinMs }: ProxyOptions) {
  const send = async (request: FastifyRequest, reply: FastifyReply, stream: IncomingMessage) => {
    const refusal = await screen?.(request, reply.statusCode);
    if (refusal) {
      stream.resume();
      reply.send(refusal);
      return;
    }
    const etag = textOf(reply, 'etag');
    const bytes = sizeOf(request, reply);
    const encoding = mayCompress?.(request) ? encodingFor(request, reply, bytes) : null;
    // A strong tag never stands for two sequences of bytes.
    if (encoding !== null && etag !== undefined) reply.header('etag', weakTag(etag));
    if (!takesNoKey && isUnchanged(request, reply.statusCode, etag)) {
      stream.resume();
      reply.code(304).removeHeader('content-length').removeHeader('content-type').send();
      return;
    }
    // A small answer has come whole by now. A larger one is a stream: the backend waits while the client reads slowly.
    const isWhole = bytes !== null && bytes > 0 && stream.readableLength === bytes;
    const content: Buffer | IncomingMessage = isWhole ? stream.read() : stream;
    if (encoding === null) reply.send(content);
    else sendCompressed(reply, content, encoding);
    cutOffUnlessTaken(reply.raw, takenWithinMs);
  };
  return (request: FastifyRequest, reply: FastifyReply, stream: IncomingMessage) =>
    void send(request, reply, stream).catch((error) => reply.send(error));
}

const textOf = (reply: FastifyReply, name: string) => {
  const value = reply.getHeader(name);
  return value === undefined ? undefined : String(value);
};

/** The length of the body, null where the backend does not state it. To HEAD, the length that GET would get; 0 where it is not stated. */
function sizeOf({ method }: FastifyRequest, reply: FastifyReply): number | null {
  const stated = reply.getHeader('content-length');
  if (stated !== undefined) return Number(stated);
  return method === 'HEAD' ? 0 : null;
}

const isUnchanged = ({ method, raw }: FastifyRequest, status: number, etag: string | undefined) =>
  isNotModified({ method, ifNoneMatch: raw.headers['if-none-match'] }, { status, etag });

/**
 * Cuts off a client that does not read its answer, which would occupy memory or a connection to the backend. The whole connection is
 * closed: if the answer waits there behind others, Node would otherwise keep what was written of it.
 */
function cutOffUnlessTaken(response: ServerResponse, withinMs: number): void {
  const isTaken = response.writableEnded && response.socket !== null && response.writableLength === 0;
  if (isTaken || response.destroyed) return;
  const timer = setTimeout(() => response.req.socket.destroy(), withinMs);
  response.once('close', () => clearTimeout(timer));
}
