import { type FieldErrors, type FieldFaults, withNearest } from '@frontdesk/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError, invalid } from '../errors/app-error.ts';
import { fieldsOf, parsePart } from './zod-provider.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Finds faults that no schema can see. Called when others were found, so that one answer names all. */
    moreFieldFaults?: (request: FastifyRequest) => FieldFaults | Promise<FieldFaults>;
  }
  interface FastifyRequest {
    /** Errors for parameters that the route does not know. */
    unknownParameters: FieldErrors | null;
  }
}

/** Under this prefix an unknown parameter is refused: with a misspelt filter ignored, a list would hold everything. */
const API_V1 = '/api/v1/';
/** The API key, where the gateway has not removed it. */
const KNOWN_EVERYWHERE = ['api_key'];
/** Clients send them to all lists, and some lists have no pages. */
const KNOWN_ON_GET = ['page', 'per_page'];
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
export function answerFieldErrors(app: FaultsApp): void {
  app.addHook('onRoute', (route) => {
    route.attachValidation = true;
  });
  app.decorateRequest('unknownParameters', null);
  // Before the query is parsed, which drops the parameters that the schema does not name.
  app.addHook('preValidation', (request, _reply, done) => {
    request.unknownParameters = unknownParameters(request);
    done();
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const { unknownParameters: unknown } = request;
    const error = request.validationError as Error | undefined;
    if (error === undefined && unknown === null) return done();
    if (error !== undefined && !isOfFields(error)) return done(error);
    allFaults(request, { ...unknown, ...error?.faults }).then((faults) => done(invalid(faults)), done);
  });
}

const isOfFields = (error: Error): error is AppError =>
  error instanceof AppError && error.code === 'validation_failed';

/** Fastify stops at the first part of a request that fails; the query comes after the body. */
async function allFaults(request: FastifyRequest, found: FieldFaults): Promise<FieldFaults> {
  const { schema, config } = request.routeOptions;
  const isBody = request.validationError?.validationContext === 'body';
  const querystring = isBody ? (schema?.querystring as z.ZodType | undefined) : undefined;
  const ofQuery = querystring && parsePart(querystring, request.query).faults;
  try {
    return { ...(await config.moreFieldFaults?.(request)), ...found, ...ofQuery };
  } catch (cause) {
    // If further errors can't be found, the request is refused for these alone.
    request.log.warn({ err: cause }, 'not all faults of a request could be found');
    return { ...found, ...ofQuery };
  }
}

/** The errors for parameters that the route does not know; null where there are none. */
function unknownParameters({ query, method, routeOptions }: FastifyRequest): FieldErrors | null {
  if (!routeOptions.url?.startsWith(API_V1)) return null;
  // A parameter without a name has no effect.
  const names = Object.keys(query as object).filter((name) => name !== '');
  if (names.length === 0) return null;
  const querystring = routeOptions.schema?.querystring as z.ZodType | undefined;
  const own = [...(querystring ? fieldsOf(querystring) : []), ...KNOWN_EVERYWHERE];
  const known = new Set(method === 'GET' || method === 'HEAD' ? [...own, ...KNOWN_ON_GET] : own);
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
