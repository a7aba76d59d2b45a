import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  AppError,
  CLIENT_CLOSED_REQUEST,
  createPlainServer,
  expectationRefusal,
  failureAnswer,
  hostRefusal,
  type Logger,
  type Metrics,
  type PlainServer,
  reportRequest,
  type SendingLimits,
  toAppError,
} from '@frontdesk/service';
import { isGone } from '../clients/failures.ts';
import { loggedPath } from '../domain/ingest-address.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { createRequestContext, type RequestContext, type Route } from './request-context.ts';

interface PublicPortDeps extends SendingLimits {
  routes: readonly Route[];
  /** Finds whose key it is, and counts the request. @throws AppError where there is none or it is not to be let in */
  authenticate: (context: RequestContext) => Promise<void>;
  logger: Logger;
  metrics: Metrics;
  onAnswered: GatewayMetrics['answered'];
}

/** Where nothing else leads. */
const UNMATCHED: Route = {
  name: 'unmatched',
  methods: 'any',
  matches: () => true,
  async answer() {
    throw new AppError('not_found', 'Not found.');
  },
};

/**
 * The public port. What each request goes through is listed in `answer`; whatever one of the steps throws is told in the
 * envelope, and however it ends, it leaves one line in the log and one measurement.
 */
export function createPublicPort(deps: PublicPortDeps): PlainServer {
  const { routes, authenticate, logger } = deps;
  const routeOf = (path: string) => routes.find((route) => route.matches(path)) ?? UNMATCHED;

  const answer = async (context: RequestContext) => {
    const { request, route, method } = context;
    try {
      refuse(hostRefusal(request));
      if (!route.takesNoKey) await authenticate(context);
      refuse(methodRefusal(route, method));
      refuse(expectationRefusal(request));
      await route.answer(context);
    } catch (error) {
      tellFailure(context, error, logger);
    }
  };

  return createPlainServer({
    headersTimeoutMs: deps.headersTimeoutMs,
    requestTimeoutMs: deps.requestTimeoutMs,
    onRequest(request: IncomingMessage, response: ServerResponse) {
      const context = createRequestContext(request, response, routeOf);
      response.on('close', () => report(context, deps));
      void answer(context);
    },
  });
}

function refuse(refusal: AppError | null): void {
  if (refusal) throw refusal;
}

function methodRefusal({ methods }: Route, method: string): AppError | null {
  if (methods === 'any' || methods.includes(method)) return null;
  return new AppError('method_not_allowed', 'This method is not allowed here.', {
    headers: { allow: methods.join(', ') },
  });
}

function tellFailure({ id, response, headers }: RequestContext, thrown: unknown, logger: Logger): void {
  const error = toAppError(thrown);
  // A client that went away hears no answer, and its backend is not to blame for there being none.
  if (response.destroyed || isGone(error)) return;
  if (response.headersSent) return void response.destroy();
  const failure = failureAnswer(error, id, logger.child({ request_id: id }));
  response
    .writeHead(failure.status, {
      ...headers,
      ...failure.headers,
      'content-length': Buffer.byteLength(failure.body),
    })
    .end(failure.body);
}

function report(context: RequestContext, { logger, metrics, onAnswered }: PublicPortDeps): void {
  const { response, route, caller } = context;
  const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST;
  onAnswered(route.name, status, caller?.plan ?? null);
  reportRequest(metrics, {
    log: logger,
    method: context.method,
    route: route.name,
    status,
    elapsedMs: performance.now() - context.startedMs,
    traceparent: context.traceparent,
    tenantId: caller?.tenantId,
    more: () => ({
      request_id: context.id,
      key_id: caller?.keyId,
      path: loggedPath(context.path),
      upstream: route.upstream,
    }),
  });
}
