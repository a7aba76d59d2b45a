import type { IncomingMessage, ServerResponse } from 'node:http';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify';
import type { z } from 'zod';
import { answerClientError } from './client-errors.ts';
import { bodyRefusal, queryRefusal, unpairedRefusal } from './encoding.ts';
import { AppError, invalid } from './errors.ts';
import { answerFailure, toAppError } from './failures.ts';
import { keepHttpRules } from './http-rules.ts';
import { isTooDeep, MAX_DEPTH } from './json-depth.ts';
import type { Logger } from './logging.ts';
import { trackAllowedMethods } from './method-not-allowed.ts';
import type { Metrics } from './metrics.ts';
import { boundPipelining } from './pipelining.ts';
import { refuseFaults } from './request-faults.ts';
import { requestIdOf } from './request-id.ts';
import { CLIENT_CLOSED_REQUEST, reportRequest } from './request-report.ts';
import { MAX_BODY_BYTES, type SendingLimits, serverLimits } from './server-limits.ts';
import { traceparentOf } from './trace.ts';
import { endRequestSpan, traceRequests } from './tracing/trace-requests.ts';
import { fieldsOf, serializerCompiler, validatorCompiler, type ZodTypeProvider } from './zod-provider.ts';

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, Logger, ZodTypeProvider>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Public name of the records behind the path: "Appointment" makes "Appointment not found." of a bad path id. */
    resource?: string;
    /** Needs no identity: health and metrics. */
    open?: boolean;
  }
  interface FastifyRequest {
    /** W3C trace context: the client's, or the beginning of a trace; where spans are made, that of the request's own. */
    traceparent: string;
  }
}

const pathOf = (url: string) => url.split('?', 1)[0] ?? '';

type AnswerFailure = (error: AppError, request: FastifyRequest, reply: FastifyReply) => unknown;

const TOO_DEEP = `The request body must hold lists and objects within one another at most ${MAX_DEPTH} deep.`;
/** More than a URL may hold. */
const MAX_PARAM_LENGTH = 65_536;
interface AppOptions {
  logger: Logger;
  metrics: Metrics;
  bodyLimit?: number;
  /** How a failure is answered, where that is not always the envelope: a browser gets a page. */
  answerFailure?: AnswerFailure;
  limits?: SendingLimits;
  /** Strangers send its requests: what they say of traces is not believed. */
  isPublic?: boolean;
  /** The path and query that a request is routed by. */
  rewriteUrl?: (request: IncomingMessage) => string;
  /** Parses the query; the app of a proxy has no need to. */
  parseQuery?: (query: string) => Record<string, unknown>;
  /** Routes that others serve behind this app: what their paths take. */
  routesBehind?: Parameters<typeof trackAllowedMethods>[1];
  /** A request has its answer, or has gone without one. */
  onEnded?: (request: FastifyRequest, status: number) => void;
  /** What the service adds to the log line of a request. */
  logFields?: (request: FastifyRequest) => object;
}

/**
 * A Fastify app as every Frontdesk service builds it: zod in, fast-json-stringify out, every failure in the one
 * envelope, `X-Request-Id` on every answer, one log line and one measurement a request.
 */
export function createApp(options: AppOptions): App {
  const http = serverLimits(options.limits);
  const { rewriteUrl, parseQuery } = options;
  const answer = counted(options.metrics, safely(options.answerFailure ?? answerFailure));
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: options.bodyLimit ?? MAX_BODY_BYTES,
    requestTimeout: http.requestTimeout,
    connectionTimeout: http.connectionTimeout,
    http,
    genReqId: requestIdOf,
    // An id of any length is one that names no record; its route says so.
    routerOptions: {
      maxParamLength: MAX_PARAM_LENGTH,
      ...(parseQuery && { querystringParser: parseQuery }),
    },
    ...(rewriteUrl && { rewriteUrl }),
    // Answers already on their way are finished; idle keep-alive connections must not hold up a stop.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error, request, reply) => {
      void answer(new AppError('not_found', 'Not found.'), request, reply);
    },
  }).withTypeProvider<ZodTypeProvider>() as unknown as App;

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  readJson(app);
  boundPipelining(app);
  reportRequests(app, options);
  traceRequests(app, { isPublic: options.isPublic ?? false });
  keepHttpRules(app);
  refuseFaults(app);

  const { allowedMethods, isTaken } = trackAllowedMethods(app, options.routesBehind);
  const unmatched = ({ url }: FastifyRequest) => {
    const methods = allowedMethods(pathOf(url));
    if (methods.length === 0) return new AppError('not_found', 'Not found.');
    return new AppError('method_not_allowed', 'This method is not allowed here.', {
      headers: { allow: methods.join(', ') },
    });
  };
  app.setNotFoundHandler((request) => {
    throw unmatched(request);
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    // Before Fastify asks for the type of its body, or reads it.
    const isUnmatched = request.is404 || isTaken(pathOf(request.url), request.routeOptions.url);
    done(isUnmatched ? unmatched(request) : null);
  });
  app.addHook('preValidation', ({ url, routeOptions }, _reply, done) => {
    const schema = routeOptions.schema?.querystring as z.ZodType | undefined;
    done((schema && queryRefusal(url, fieldsOf(schema))) ?? undefined);
  });
  app.setErrorHandler((error, request, reply) =>
    answer(toAppError(error, request.routeOptions.config.resource), request, reply),
  );
  return app;
}

/** Counts failures by their code: a status alone does not say which limit, quota or rule it was. */
const counted =
  ({ errors }: Metrics, answer: AnswerFailure): AnswerFailure =>
  (error, request, reply) => {
    errors.inc({ route: request.routeOptions.url ?? 'unmatched', code: error.code });
    return answer(error, request, reply);
  };

/** Where `answer` itself fails, the envelope is the answer: neither Fastify's own error nor an unhandled rejection. */
const safely =
  (answer: AnswerFailure): AnswerFailure =>
  async (error, request, reply) => {
    try {
      return await answer(error, request, reply);
    } catch (cause) {
      return answerFailure(toAppError(cause), request, reply);
    }
  };

/** JSON in UTF-8 is all that is read, and no deep one. Many clients send its type with nothing behind it on DELETE; that is no malformed JSON. */
function readJson(app: App): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    const refusal = bodyRefusal(request.headers, body);
    if (refusal) return done(refusal);
    const text = body.toString('utf8');
    if (isTooDeep(text)) return done(invalid({ body: [TOO_DEEP] }));
    void parse(request, text, (error, value) => done(error ?? unpairedRefusal(text, value), value));
  });
}

function reportRequests(
  app: App,
  { metrics, onEnded, logFields }: Pick<AppOptions, 'metrics' | 'onEnded' | 'logFields'>,
): void {
  app.decorateRequest('traceparent', '');
  const report = (request: FastifyRequest, reply: FastifyReply, status: number) => {
    const { log, method, routeOptions, traceparent, tenantId } = request;
    onEnded?.(request, status);
    endRequestSpan(request, status);
    reportRequest(metrics, {
      ...{ log: log as Logger, method, status, traceparent, tenantId },
      route: routeOptions.url ?? 'unmatched',
      elapsedMs: reply.elapsedTime,
      isProbe: routeOptions.config.open,
      more: logFields && (() => logFields(request)),
    });
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
