import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  jsonExcess,
  MAX_BODY_BYTES,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  type Scope,
} from '@frontdesk/contracts';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify';
import type { z } from 'zod';
import { AppError, invalid } from '../errors/app-error.ts';
import { answerError, toAppError } from '../errors/error-answers.ts';
import { createParserErrors } from '../errors/parser-errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Logger } from '../run/logging.ts';
import { traceparentOf } from '../tracing/trace.ts';
import { endRequestSpan, traceRequests } from '../tracing/trace-requests.ts';
import { bodyRefusal, queryRefusal, unpairedRefusal } from './encoding.ts';
import { answerFieldErrors } from './field-errors.ts';
import { keepHttpRules } from './http-rules.ts';
import { trackAllowedMethods } from './method-not-allowed.ts';
import { requestIdOf } from './request-id.ts';
import { CLIENT_CLOSED_REQUEST, reportRequest } from './request-report.ts';
import { MOST_IN_FLIGHT, type SendingLimits, serverLimits } from './server-limits.ts';
import { fieldsOf, serializerCompiler, validatorCompiler, type ZodTypeProvider } from './zod-provider.ts';

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, Logger, ZodTypeProvider>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Public name of the records behind the path: "Appointment" makes "Appointment not found." of a bad path id. */
    resource?: string;
    /** What a key or a person needs for it; null: nothing beyond belonging to the business. Of `route`. */
    scope?: Scope | null;
    /** Needs no identity: health and metrics. */
    open?: boolean;
    /** Another service asks every few seconds: a request that succeeds has no log line. */
    isPolled?: boolean;
  }
  interface FastifyRequest {
    /** W3C trace context: the client's, or that of a new trace. While spans are made, that of the request's own span. */
    traceparent: string;
  }
}

const pathOf = (url: string) => url.split('?', 1)[0] ?? '';

type AnswerError = (error: AppError, request: FastifyRequest, reply: FastifyReply) => unknown;

const EXCESSES = {
  depth: `The request body must hold lists and objects within one another at most ${MAX_JSON_DEPTH} deep.`,
  values: `The request body must hold at most ${MAX_JSON_VALUES.toLocaleString('en-US')} values.`,
};
/** More than a URL may hold. */
const MAX_PARAM_LENGTH = 65_536;
interface AppOptions {
  logger: Logger;
  metrics: Metrics;
  bodyLimit?: number;
  /** Answers an error, where that is not always by the envelope: a browser gets a page. */
  answerError?: AnswerError;
  limits?: SendingLimits;
  /** Its clients are strangers: their trace headers are not believed. */
  isPublic?: boolean;
  /** The path and query that a request is routed by. */
  rewriteUrl?: (request: IncomingMessage) => string;
  /** Parses the query; a proxy, which passes it on, needs no parser. */
  parseQuery?: (query: string) => Record<string, unknown>;
  /** Routes of services behind this app: they say which methods a path takes. */
  routesBehind?: Parameters<typeof trackAllowedMethods>[1];
  /** Called when a request has its answer, or when its client has gone before. */
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
  const answer = counted(options.metrics, safely(options.answerError ?? answerError));
  const parserErrors = createParserErrors();
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: options.bodyLimit ?? MAX_BODY_BYTES,
    requestTimeout: http.requestTimeout,
    connectionTimeout: http.connectionTimeout,
    http,
    genReqId: requestIdOf,
    // An id of any length gets to its route, which answers that there is no such record.
    routerOptions: {
      maxParamLength: MAX_PARAM_LENGTH,
      ...(parseQuery && { querystringParser: parseQuery }),
    },
    ...(rewriteUrl && { rewriteUrl }),
    // Answers already on their way are finished; idle keep-alive connections must not hold up a stop.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: parserErrors.answer,
    frameworkErrors: (_error, request, reply) => {
      void answer(new AppError('not_found', 'Not found.'), request, reply);
    },
  }).withTypeProvider<ZodTypeProvider>() as unknown as App;

  app.server.on('request', parserErrors.watch);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  readJson(app);
  boundPipelining(app);
  reportRequests(app, options);
  traceRequests(app, { isPublic: options.isPublic ?? false });
  keepHttpRules(app);
  answerFieldErrors(app);

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
    // Before Fastify checks the type of the body, or reads it.
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
  // On every port but the public ones: other services ask here whether the process answers at all.
  if (!options.isPublic)
    app.get('/health/live', { config: { open: true } }, async () => ({ status: 'live' }));
  return app;
}

/** Counts failures by their code: a status alone does not say which limit, quota or rule it was. */
const counted =
  ({ errors }: Metrics, answer: AnswerError): AnswerError =>
  (error, request, reply) => {
    errors.inc({ route: request.routeOptions.url ?? 'unmatched', code: error.code });
    return answer(error, request, reply);
  };

/** Where `answer` itself fails, the envelope is the answer: neither Fastify's own error nor an unhandled rejection. */
const safely =
  (answer: AnswerError): AnswerError =>
  async (error, request, reply) => {
    try {
      return await answer(error, request, reply);
    } catch (cause) {
      return answerError(toAppError(cause), request, reply);
    }
  };

/**
 * Accepts JSON in UTF-8 alone, and none that is nested too deep or has too many values. Many clients send the type of JSON with an empty body
 * on DELETE: that is no error.
 */
function readJson(app: App): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    const refusal = bodyRefusal(request.headers, body);
    if (refusal) return done(refusal);
    const text = body.toString('utf8');
    const excess = jsonExcess(text, { mostValues: mostValuesOf(request) });
    if (excess) return done(invalid({ body: [EXCESSES[excess]] }));
    void parse(request, text, (error, value) => done(error ?? unpairedRefusal(text, value), value));
  });
}

/** What takes more than 1 MiB is the operator's alone: the document of a whole business, which has any number of values. */
const mostValuesOf = ({ routeOptions: { bodyLimit } }: FastifyRequest) =>
  bodyLimit > MAX_BODY_BYTES ? Number.POSITIVE_INFINITY : MAX_JSON_VALUES;

function reportRequests(
  app: App,
  { metrics, onEnded, logFields }: Pick<AppOptions, 'metrics' | 'onEnded' | 'logFields'>,
): void {
  app.decorateRequest('traceparent', '');
  const report = (request: FastifyRequest, reply: FastifyReply, status: number) => {
    const { log, method, routeOptions, traceparent, tenantId, identity } = request;
    onEnded?.(request, status);
    endRequestSpan(request, status);
    reportRequest(metrics, {
      log: log as Logger,
      method,
      status,
      traceparent,
      tenantId,
      identity,
      route: routeOptions.url ?? 'unmatched',
      elapsedMs: reply.elapsedTime,
      isProbe: routeOptions.config.open || (routeOptions.config.isPolled && status < 400),
      more: logFields && (() => logFields(request)),
    });
  };

  // These hooks wait for nothing, so they call `done`: a promise would cost every request a turn of the event loop.
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

interface HookedApp {
  addHook(
    name: 'onRequest',
    hook: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void,
  ): unknown;
}

/**
 * Ends connections on which too many requests are in flight. Node starts every request that it has read, so one connection
 * could bring any number of them before its first answer, and keep all other clients waiting.
 */
function boundPipelining(app: HookedApp): void {
  const inFlight = new WeakMap<Socket, number>();
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    const count = (inFlight.get(socket) ?? 0) + 1;
    inFlight.set(socket, count);
    reply.raw.once('close', () => inFlight.set(socket, (inFlight.get(socket) as number) - 1));
    if (count > MOST_IN_FLIGHT) socket.destroy();
    // Requests that Node has read from this connection already go no further.
    if (!socket.destroyed) done();
  });
}
