import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { z } from 'zod';
import type { SettingsWorld } from './settings-world.ts';

type Settings = SettingsWorld['settings'];

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  url: string;
  isInternal: boolean;
  isLive: boolean;
  body: z.ZodType | undefined;
  /** Fields that the route's own schemas know. */
  bodyFields: string[];
  queryFields: string[];
}

/** One more process of the settings, and every route that it registers, on both of its ports. */
export async function startWithRoutes(
  start: () => Promise<Settings>,
): Promise<{ settings: Settings; routes: Route[] }> {
  const registered: { by: FastifyInstance; route: RouteOptions }[] = [];
  const watch = (message: unknown) => {
    const { fastify: by } = message as { fastify: FastifyInstance };
    by.addHook('onRoute', (route) => void registered.push({ by, route }));
  };
  subscribe('fastify.initialization', watch);
  const settings = await start();
  unsubscribe('fastify.initialization', watch);
  const routes = registered
    .filter(({ by }) => [settings.api, settings.internal].some((app) => app.server === by.server))
    .flatMap(({ by, route }) =>
      [route.method]
        .flat()
        .filter((method) => method !== 'HEAD')
        .map((method) => routeOf(route, method as Route['method'], by.server === settings.internal.server)),
    );
  return { settings, routes };
}

function routeOf(route: RouteOptions, method: Route['method'], isInternal: boolean): Route {
  const { body, querystring } = (route.schema ?? {}) as Record<string, z.ZodType | undefined>;
  return {
    method,
    url: route.url,
    isInternal,
    isLive: route.config?.isLive ?? false,
    body,
    bodyFields: [...new Set(fieldsOf(body))],
    queryFields: [...new Set(fieldsOf(querystring))],
  };
}

interface Definition {
  shape?: Record<string, z.ZodType>;
  in?: z.ZodType;
  out?: z.ZodType;
  left?: z.ZodType;
  right?: z.ZodType;
  innerType?: z.ZodType;
  options?: z.ZodType[];
}

/** The names of an object's fields, also of one that is made from another or may be left out. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return [];
  const { shape, in: from, out, left, right, innerType, options = [] } = schema.def as Definition;
  return [
    ...Object.keys(shape ?? {}),
    ...[from, out, left, right, innerType, ...options].flatMap((part) => fieldsOf(part)),
  ];
}
