import type { IncomingMessage } from 'node:http';
import { idInPath, patternOf, type Route } from '@frontdesk/contracts';
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RawServerDefault,
} from 'fastify';
import type { z } from 'zod';
import type { Logger } from '../run/logging.ts';
import type { App } from './app.ts';
import type { ZodTypeProvider } from './zod-provider.ts';

/** What a part of a declared route is, once it is parsed; unknown where it isn't declared. */
type Parsed<Declared, Part extends 'params' | 'query' | 'body' | 'answer'> = Declared extends {
  [Name in Part]: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : unknown;

type PathParams<Declared extends Route> = Declared extends { params: z.ZodType }
  ? Parsed<Declared, 'params'>
  : Declared['path'] extends `${string}{id}${string}`
    ? { id: number }
    : unknown;

type Handler<Declared extends Route> = (
  request: FastifyRequest<
    {
      Params: PathParams<Declared>;
      Querystring: Parsed<Declared, 'query'>;
      Body: Parsed<Declared, 'body'>;
    },
    RawServerDefault,
    IncomingMessage,
    FastifySchema,
    ZodTypeProvider,
    unknown,
    Logger
  >,
  reply: FastifyReply,
) => Promise<Parsed<Declared, 'answer'> | FastifyReply>;

/** What is the service's own of a route, and nobody's who calls it. */
interface Own extends Pick<FastifyContextConfig, 'moreFieldFaults' | 'isPolled'> {
  bodyLimit?: number;
}

/** Serves a route as it is declared: read and answered by its schemas, with its status. */
export function route<const Declared extends Route>(
  app: App,
  declared: Declared,
  handler: Handler<Declared>,
  { bodyLimit, ...config }: Own = {},
): void {
  const { method, path, scope, query, body, status = 200, otherStatus, answer, record }: Route = declared;
  const params = declared.params ?? (path.includes('{id}') ? idInPath : undefined);
  const response = { ...(otherStatus && { [otherStatus.status]: answer }), [status]: answer };
  const withStatus: Handler<Declared> = (request, reply) => handler(request, reply.code(status));
  app.route({
    method,
    url: patternOf(declared),
    config: {
      ...config,
      ...(scope !== undefined && { scope }),
      ...(params && record !== undefined && { resource: record }),
    },
    ...(bodyLimit !== undefined && { bodyLimit }),
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      response,
    },
    handler: (status === 200 ? handler : withStatus) as never,
  });
}
