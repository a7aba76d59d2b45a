import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify';
import { answerClientError } from './client-errors.ts';
import { AppError } from './errors.ts';
import { answerFailure, toAppError } from './failures.ts';
import { keepHttpRules } from './http-rules.ts';
import type { Logger } from './logging.ts';
import { trackAllowedMethods } from './method-not-allowed.ts';
import type { Metrics } from './metrics.ts';
import { traceIdOf, traceparentOf } from './trace.ts';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from './zod-provider.ts';

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, Logger, ZodTypeProvider>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Public name of the records behind the path: "Appointment" makes "Appointment not found." of a bad path id. */
    resource?: string;
    /** Needs no identity: health and metrics. */
    open?: boolean;
  }
  interface FastifyRequest {
    /** W3C trace context: the client's, or the beginning of a trace. */
    traceparent: string;
  }
}

const BODY_LIMIT_BYTES = 1024 * 1024;
/** Whoever sends a request, or only its head, more slowly than this is no client of a JSON API. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** More than a URL may hold. */
const MAX_PARAM_LENGTH = 65_536;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** A request id that a client sent is kept when it is safe to log and to echo. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}

/**
 * A Fastify app as every Frontdesk service builds it: zod in, fast-json-stringify out, every failure in the one
 * envelope, `X-Request-Id` on every answer, one log line and one measurement a request.
 */
export function createApp(options: {
  logger: Logger;
  metrics: Metrics;
  bodyLimit?: number;
  /** How long a client may take to send the head of a request, and all of it. */
  headersTimeoutMs?: number;
  requestTimeoutMs?: number;
  /** What a service adds to the line of each request. */
  logFields?: (request: FastifyRequest) => object;
  /** Told of each request that has its answer, or has gone without one (499). */
  onAnswered?: (request: FastifyRequest, status: number) => void;
  /** How a failure is told, where that is not always the envelope: pages tell people theirs in a page. */
  answerFailure?: (error: AppError, request: FastifyRequest, reply: FastifyReply) => unknown;
}): App {
  const { headersTimeoutMs = HEADERS_TIMEOUT_MS, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const tell = options.answerFailure ?? answerFailure;
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: options.bodyLimit ?? BODY_LIMIT_BYTES,
    requestTimeout: requestTimeoutMs,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: Math.ceil(headersTimeoutMs / 3),
      requireHostHeader: false,
    },
    genReqId: requestIdOf,
    // An id of any length is one that names no record; its route says so.
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    // Answers already on their way are finished; idle keep-alive connections must not hold up a stop.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error, request, reply) => {
      void tell(new AppError('not_found', 'Not found.'), request, reply);
    },
  }).withTypeProvider<ZodTypeProvider>() as unknown as App;

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  acceptEmptyJson(app);
  reportRequests(app, options);
  keepHttpRules(app);

  const allowedMethods = trackAllowedMethods(app);
  const unmatched = ({ url }: FastifyRequest) => {
    const methods = allowedMethods(url.split('?', 1)[0] ?? '');
    if (methods.length === 0) return new AppError('not_found', 'Not found.');
    return new AppError('method_not_allowed', 'This method is not allowed here.', {
      headers: { allow: methods.join(', ') },
    });
  };
  app.setNotFoundHandler((request) => {
    throw unmatched(request);
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    // Fastify would ask for the type of its body first.
    done(request.is404 && request.method === 'QUERY' ? unmatched(request) : null);
  });
  app.setErrorHandler((error, request, reply) => tell(toAppError(error, request), request, reply));
  return app;
}

/** JSON is all that is read. Many clients send its type with nothing behind it on DELETE; that is no malformed JSON. */
function acceptEmptyJson(app: App): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else void parse(request, body as string, done);
  });
}

/** nginx's status for a client that went away before its answer; there is no official one. */
const CLIENT_CLOSED_REQUEST = 499;

interface Reporting {
  metrics: Metrics;
  logFields?: (request: FastifyRequest) => object;
  onAnswered?: (request: FastifyRequest, status: number) => void;
}

function reportRequests(app: App, { metrics, logFields, onAnswered }: Reporting): void {
  app.decorateRequest('traceparent', '');
  const report = (request: FastifyRequest, reply: FastifyReply, status: number) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'unmatched';
    metrics.requestDuration.observe({ method, route, status: String(status) }, reply.elapsedTime / 1_000);
    onAnswered?.(request, status);
    // Probes come every few seconds for ever and say nothing that the metrics don't.
    if (request.routeOptions.config.open) return;
    request.log.info(
      {
        trace_id: traceIdOf(request.traceparent),
        tenant_id: request.tenantId,
        method,
        route,
        status,
        duration_ms: Math.round(reply.elapsedTime * 100) / 100,
        ...logFields?.(request),
      },
      'request',
    );
  };

  // Hooks that wait for nothing answer by `done`: each promise would cost every request a turn.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    request.traceparent = traceparentOf(request.raw.headers.traceparent);
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) report(request, reply, CLIENT_CLOSED_REQUEST);
    });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    report(request, reply, reply.statusCode);
    done();
  });
}
