import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import httpProxy from '@fastify/http-proxy';
import { IDENTITY_REFUSED_HEADER } from '@frontdesk/contracts';
import type { App, AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerBody } from '../clients/backend-answer.ts';
import { unavailable } from '../clients/failures.ts';
import type { HeadersWithCall, Upstream } from '../clients/upstream.ts';
import { isNotModified, weakTag } from '../domain/entity-tags.ts';
import { downstreamHeaders } from '../domain/headers.ts';
import { allowCompression, encodingFor, sendCompressed } from './compression.ts';
import { cacheHeaders } from './response-headers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the service that the route leads to. */
    upstream?: string;
  }
  interface FastifyRequest {
    /** What the backend gets instead of the client's headers. */
    upstreamHeaders: HeadersWithCall | null;
  }
}

interface ProxyOptions {
  upstream: Upstream;
  /** The backend has the same paths. */
  prefix: string;
  routes: string[];
  methods: string[];
  /** Which of the methods a path takes is the backend's to say. */
  isCatchAll?: boolean;
  takesNoKey?: boolean;
  /** Reads the body and makes the headers that the backend gets, with the call in them. */
  prepare: (request: FastifyRequest, reply: FastifyReply) => Promise<HeadersWithCall>;
  /** Looks at the status of an answer; what it comes to, the client gets instead. */
  screen?: (request: FastifyRequest, status: number) => Promise<AppError | null> | null;
  /** Whether the answer may be compressed, if its client wants it to be. Without this none is. */
  mayCompress?: (request: FastifyRequest) => boolean;
  /** Longest that a client may take over an answer. */
  takenWithinMs: number;
}

/** As the plugin hands it to `onResponse`. */
interface Answer {
  statusCode: number;
  /** All of the backend's; what the client gets of them is in the reply already. */
  headers: IncomingHttpHeaders;
  stream: AnswerBody;
}

/** @fastify/http-proxy for one prefix of a backend: body, identity and headers, the call, the answer. */
export async function proxy(app: App, options: ProxyOptions): Promise<void> {
  const {
    upstream,
    prefix,
    routes,
    methods,
    isCatchAll = false,
    takesNoKey = false,
    prepare,
    screen,
    mayCompress,
  } = options;
  leaveBodiesUnparsed(app);
  if (mayCompress) await allowCompression(app);
  app.addHook('preHandler', async (request, reply) => {
    request.upstreamHeaders = await prepare(request, reply);
  });

  const pass = (request: FastifyRequest, reply: FastifyReply, { statusCode, headers, stream }: Answer) => {
    if (isIdentityRefusal(headers)) {
      stream.destroy();
      reply.send(unavailable(`the backend refused the gateway's identity with status ${statusCode}`));
      return;
    }
    const encoding = mayCompress?.(request) ? encodingFor(request, reply, sizeOf(headers, stream)) : null;
    // A strong tag never stands for two sequences of bytes.
    if (encoding !== null && headers.etag !== undefined) reply.header('etag', weakTag(headers.etag));
    if (!takesNoKey && isUnchanged(request, statusCode, headers)) {
      stream.destroy();
      reply.code(304).removeHeader('content-length').removeHeader('content-type').send();
    } else {
      const { content } = stream;
      if (encoding !== null) sendCompressed(reply, content, encoding);
      // An empty Buffer would get a type of its own.
      else reply.send(Buffer.isBuffer(content) && content.length === 0 ? null : content);
      cutOffUnlessTaken(reply.raw, options.takenWithinMs);
    }
  };
  const screened = async (request: FastifyRequest, reply: FastifyReply, answer: Answer) => {
    const refusal = await screen?.(request, answer.statusCode);
    if (!refusal) return pass(request, reply, answer);
    answer.stream.destroy();
    reply.send(refusal);
  };

  await app.register(httpProxy, {
    upstream: upstream.url,
    // Any object with `request` will do, but the types know of undici's own only.
    undici: upstream as object,
    prefix,
    rewritePrefix: prefix,
    routes,
    httpMethods: methods,
    config: { upstream: upstream.name, takesNoKey, isCatchAll },
    proxyPayloads: false,
    disableCache: true,
    disableRequestLogging: true,
    internalRewriteLocationHeader: false,
    replyOptions: {
      // What was sent is never sent again.
      retryDelay: () => null,
      rewriteRequestHeaders: (request) => request.upstreamHeaders as HeadersWithCall,
      rewriteHeaders(headers) {
        if (isIdentityRefusal(headers)) return {};
        const kept = downstreamHeaders(headers);
        return takesNoKey ? kept : Object.assign(kept, cacheHeaders(headers));
      },
      onResponse(ofAnyServer, reply, received) {
        const request = ofAnyServer as FastifyRequest;
        const answer = received as unknown as Answer;
        if (screen) screened(request, reply as FastifyReply, answer).catch((error) => reply.send(error));
        else pass(request, reply as FastifyReply, answer);
      },
      // The plugin wraps the dispatcher's errors. Its own is that of a status which Fastify doesn't know.
      onError: (reply, { error }) => void reply.send(error.cause ?? unavailable(error)),
    },
  });
}

/** Bodies are the backend's to judge. Fastify refuses a type that it can't make out, so it is shown one that it can. */
function leaveBodiesUnparsed(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    request.headers = { 'content-type': 'application/octet-stream' };
    done(null);
  });
}

/** Keys out of step or clocks apart are our fault, which a client must not take for one of its own key's. */
const isIdentityRefusal = (headers: IncomingHttpHeaders) => headers[IDENTITY_REFUSED_HEADER] !== undefined;

/** What HEAD says of an answer, it says of that to GET. Null where the backend doesn't know beforehand. */
function sizeOf(headers: IncomingHttpHeaders, { content }: AnswerBody): number | null {
  const stated = headers['content-length'];
  if (stated !== undefined) return Number(stated);
  return Buffer.isBuffer(content) ? content.length : null;
}

const isUnchanged = ({ method, raw }: FastifyRequest, status: number, { etag }: IncomingHttpHeaders) =>
  isNotModified({ method, ifNoneMatch: raw.headers['if-none-match'] }, { status, etag });

/**
 * A client that doesn't read an answer would keep a connection to the backend from others, or memory. The whole connection goes: of
 * an answer that is behind others there, Node keeps what was written until it ends.
 */
function cutOffUnlessTaken(response: ServerResponse, withinMs: number): void {
  const isTaken = response.writableEnded && response.socket !== null && response.writableLength === 0;
  if (isTaken || response.destroyed) return;
  const timer = setTimeout(() => response.req.socket.destroy(), withinMs);
  response.once('close', () => clearTimeout(timer));
}
