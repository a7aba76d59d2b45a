import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf, traceparentOf } from '@frontdesk/service';
import type { Caller } from '../domain/access.ts';
import { originForm, pathOf, queryOf } from '../domain/request-target.ts';

/** A way through the public port. */
export interface Route {
  /** As metrics and logs call it: a pattern, never what a client wrote. */
  name: string;
  /** Others are 405. */
  methods: readonly string[] | 'any';
  /** Whether requests get here without an API key; what lets them in then is the route's own to say. */
  takesNoKey?: boolean;
  /** Name of the service that it leads to. */
  upstream?: string;
  matches(routePath: string): boolean;
  answer(context: RequestContext): Promise<void>;
}

/** Whose key the request carries, on a route that takes one. */
export function callerOf({ caller }: RequestContext): Caller {
  if (!caller) throw new Error('This route takes no key.');
  return caller;
}

/** One request, from its head to the end of its answer. */
export interface RequestContext {
  request: IncomingMessage;
  response: ServerResponse;
  /** The client's, or one of ours. */
  id: string;
  traceparent: string;
  startedMs: number;
  method: string;
  /** Both still encoded. */
  path: string;
  query: string;
  /** Decoded, as far as that leaves its steps what they are: what routes go by. */
  routePath: string;
  route: Route;
  /** Whose key the request carries, once that is known. */
  caller: Caller | null;
  /** They go with the answer, whatever it is. */
  headers: Record<string, string>;
}

export function createRequestContext(
  request: IncomingMessage,
  response: ServerResponse,
  routeOf: (path: string) => Route,
): RequestContext {
  const id = requestIdOf(request);
  // Whatever the target looks like, it is routed as a path: so the key comes first, and what is wrong with it afterwards.
  const target = originForm(request.url ?? '');
  const path = pathOf(target);
  const routePath = path.includes('%') ? decodeURI(path) : path;
  return {
    request,
    response,
    id,
    traceparent: traceparentOf(request.headers.traceparent),
    startedMs: performance.now(),
    method: request.method ?? '',
    path,
    query: queryOf(target),
    routePath,
    route: routeOf(routePath),
    caller: null,
    headers: { 'x-request-id': id },
  };
}
