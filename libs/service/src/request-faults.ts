import { type FieldErrors, withNearest } from '@frontdesk/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError, invalid } from './errors.ts';
import { fieldsOf, parsePart } from './zod-provider.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Faults of a request that no schema can see: asked for where others are found, so that one answer names all. */
    moreFaults?: (request: FastifyRequest) => FieldErrors | Promise<FieldErrors>;
  }
  interface FastifyRequest {
    /** Faults of parameters that the route does not know. */
    unknownParameters: FieldErrors | null;
  }
}

/** Below it a parameter that no schema knows is a fault: a filter that is misspelt would find everybody. */
const API_V1 = '/api/v1/';
/** A key that the gateway has not removed. */
const OF_ANY = ['api_key'];
/** Clients send them to all lists, and some lists have no pages. */
const OF_READING = ['page', 'per_page'];
/** More would only make the answer large. */
const MAX_UNKNOWN = 20;
const MAX_SHOWN_NAME = 64;

interface FaultsApp {
  decorateRequest(name: 'unknownParameters', value: null): unknown;
  addHook(name: 'onRoute', hook: (route: { attachValidation?: boolean }) => void): unknown;
  addHook(
    name: 'preValidation' | 'preHandler',
    hook: (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void,
  ): unknown;
}

/** Refuses a request with all that is wrong with it: what the schemas of query and body find, and unknown parameters under API v1. */
export function refuseFaults(app: FaultsApp): void {
  app.addHook('onRoute', (route) => {
    route.attachValidation = true;
  });
  app.decorateRequest('unknownParameters', null);
  // What the schema does not name is gone from a query once it is parsed.
  app.addHook('preValidation', (request, _reply, done) => {
    request.unknownParameters = unknownParameters(request);
    done();
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const { unknownParameters: unknown } = request;
    const error = request.validationError as Error | undefined;
    if (error === undefined && unknown === null) return done();
    if (error !== undefined && !isOfFields(error)) return done(error);
    allFaults(request, { ...unknown, ...error?.errors }).then((faults) => done(invalid(faults)), done);
  });
}

const isOfFields = (error: Error): error is AppError =>
  error instanceof AppError && error.code === 'validation_failed';

/** Validation ends with the first part of a request that fails: the query comes after the body. */
async function allFaults(request: FastifyRequest, found: FieldErrors): Promise<FieldErrors> {
  const { schema, config } = request.routeOptions;
  const isBody = request.validationError?.validationContext === 'body';
  const querystring = isBody ? (schema?.querystring as z.ZodType | undefined) : undefined;
  const ofQuery = querystring && parsePart(querystring, request.query).errors;
  try {
    return { ...(await config.moreFaults?.(request)), ...found, ...ofQuery };
  } catch (cause) {
    // Whatever stands in the way of more, the request is refused for these.
    request.log.warn({ err: cause }, 'not all faults of a request could be found');
    return { ...found, ...ofQuery };
  }
}

/** The faults of parameters that the route does not know; null where there is none. */
function unknownParameters({ query, method, routeOptions }: FastifyRequest): FieldErrors | null {
  if (!routeOptions.url?.startsWith(API_V1)) return null;
  // What is sent without a name asks for nothing.
  const names = Object.keys(query as object).filter((name) => name !== '');
  if (names.length === 0) return null;
  const querystring = routeOptions.schema?.querystring as z.ZodType | undefined;
  const own = [...(querystring ? fieldsOf(querystring) : []), ...OF_ANY];
  const known = new Set(method === 'GET' || method === 'HEAD' ? [...own, ...OF_READING] : own);
  const unknown = names.filter((name) => !known.has(name)).slice(0, MAX_UNKNOWN);
  if (unknown.length === 0) return null;
  // By entries: `__proto__` is a name like others.
  return Object.fromEntries(
    unknown.map((name) => {
      const shown = name.slice(0, MAX_SHOWN_NAME).toWellFormed();
      return [shown, [withNearest(`The ${shown} parameter is unknown.`, name, own)]];
    }),
  );
}
