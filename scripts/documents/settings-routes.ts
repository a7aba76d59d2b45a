import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markdownTable } from '@frontdesk/reference';
import { createLogger, createMetrics, loadConfig } from '@frontdesk/service';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { z } from 'zod';
import { buildSettingsUi } from '../../services/settings-ui/src/app.ts';
import { configSchema } from '../../services/settings-ui/src/config.ts';
import { ensureIdentityKeys, keyFilesIn } from '../start/keys/identity-keys.ts';
import { ensureSecretKeys } from '../start/keys/secret-keys.ts';

/** Nobody is asked: the service is only put together. */
const NOBODY = 'http://127.0.0.1:1';
const PLACES = {
  ...Object.fromEntries(
    ['GATEWAY', 'SCHEDULING', 'CRM', 'CALLS', 'WEBHOOKS'].map((name) => [`${name}_INTERNAL_URL`, NOBODY]),
  ),
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  REDIS_URL: 'redis://127.0.0.1:1',
  PUBLIC_URL: NOBODY,
  SETTINGS_URL: NOBODY,
  PORT: '0',
  INTERNAL_PORT: '0',
};
/** Files for the pages themselves. */
const ASSETS = '/settings/assets/';
/** What only the pages' own forms and links send: how they were drawn, and which button was used. */
const OF_FORMS =
  /^(creates_leads|classifies_sentiment|scheme|signature_header|timestamp_header|payload|is_form|form_token|next|do|at|found|anyway|typed_time|notice_unit|has_services|removed_headers|(chosen|shown)_\w+|\w+day_(start|end|chosen))$/;

/** The routes of the settings pages: what each reads, and the status of its JSON. */
export async function settingsRoutesTable(): Promise<string> {
  const routes = (await registered())
    .filter(({ method, url }) => method !== 'HEAD' && url.startsWith('/settings') && !url.startsWith(ASSETS))
    .toSorted((a, b) => a.url.localeCompare(b.url, 'en'));
  return markdownTable(
    ['route', 'reads', 'JSON'],
    routes.map(({ method, url, schema }) => {
      const { querystring, body, response } = (schema ?? {}) as {
        querystring?: z.ZodType;
        body?: z.ZodType;
        response?: object;
      };
      const fields = new Set([querystring, body].flatMap((part) => (part ? fieldsOf(part) : [])));
      const named = [...fields].filter((field) => !OF_FORMS.test(field)).map((field) => `\`${field}\``);
      return [
        `\`${String(method)} ${url.replaceAll(/:(\w+)/g, '{$1}')}\``,
        named.join(', '),
        Object.keys(response ?? {}).join(', '),
      ];
    }),
  );
}

/** What a request may hold: of a form that becomes what another service reads, that. */
function fieldsOf(schema: z.ZodType): string[] {
  const { def } = schema as
    | z.ZodObject
    | z.ZodPipe<z.ZodType, z.ZodType>
    | z.ZodIntersection<z.ZodType, z.ZodType>
    | z.ZodUnion<z.ZodType[]>
    | z.ZodOptional<z.ZodType>
    | z.ZodDefault<z.ZodType>;
  switch (def.type) {
    case 'object':
      return Object.keys(def.shape);
    case 'pipe':
      return fieldsOf(def.in).concat(fieldsOf(def.out));
    case 'intersection':
      return fieldsOf(def.left).concat(fieldsOf(def.right));
    case 'union':
      return def.options.flatMap(fieldsOf);
    case 'optional':
    case 'default':
      return fieldsOf(def.innerType);
    default:
      return [];
  }
}

/** Every route that the service registers on its public port. */
async function registered(): Promise<RouteOptions[]> {
  const directory = await mkdtemp(join(tmpdir(), 'frontdesk-routes-'));
  const keys = keyFilesIn(directory);
  const routes: RouteOptions[] = [];
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => void routes.push(route));
  };
  try {
    await Promise.all([ensureIdentityKeys(keys), ensureSecretKeys(keys.secretKeys('settings-ui'))]);
    const config = loadConfig(configSchema, {
      ...PLACES,
      SECRET_KEYS_FILE: keys.secretKeys('settings-ui'),
      IDENTITY_PUBLIC_KEYS_FILE: keys.publicKeys,
      IDENTITY_PRIVATE_KEY_FILE: keys.privateKey('settings-ui'),
    });
    const logger = createLogger({ name: 'documents', level: 'error' });
    subscribe('fastify.initialization', watch);
    const { api } = await buildSettingsUi(config, { logger, metrics: createMetrics() });
    await api.ready();
    return routes;
  } finally {
    unsubscribe('fastify.initialization', watch);
    await rm(directory, { recursive: true });
  }
}
