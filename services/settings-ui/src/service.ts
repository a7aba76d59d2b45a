import { createDatabase, databaseSettings } from '@frontdesk/database';
import { createRedis, redisSettings } from '@frontdesk/redis';
import {
  type App,
  type Component,
  createApp,
  createClientAddress,
  createIdentitySigner,
  createIdentityVerifier,
  createSecretBox,
  healthRoutes,
  httpComponent,
  loadSecretKeys,
  requireIdentity,
  type ServiceContext,
} from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { appointmentsRoutes } from './api/appointments/appointments.routes.ts';
import { dayRoutes } from './api/appointments/day.routes.ts';
import { liveCalendarRoutes } from './api/appointments/live-calendar.routes.ts';
import { weekRoutes } from './api/appointments/week.routes.ts';
import { businessRoutes } from './api/business/business.routes.ts';
import { callsRoutes } from './api/calls/calls.routes.ts';
import { customersRoutes } from './api/customers/customers.routes.ts';
import { integrationsRoutes } from './api/integrations/integrations.routes.ts';
import { overviewRoutes } from './api/overview/overview.routes.ts';
import { adminRoutes } from './api/people/admins.routes.ts';
import { auditRoutes } from './api/people/audit.routes.ts';
import { peopleRoutes } from './api/people/people.routes.ts';
import { searchRoutes } from './api/search/search.routes.ts';
import { assetRoutes } from './api/shared/assets.routes.ts';
import { loadAssets } from './api/shared/assets.ts';
import { createChanges } from './api/shared/changes.ts';
import { limitConcurrentRequests } from './api/shared/concurrent-requests.ts';
import { createLiveStreams } from './api/shared/live-streams.ts';
import { createPages } from './api/shared/pages.ts';
import { takeFormsOnce } from './api/shared/sent-once.ts';
import { keepSuspendedReadOnly } from './api/shared/suspended.ts';
import { serveBrowsers } from './api/shared/web.ts';
import { accountRoutes } from './api/sign-in/account.routes.ts';
import { createDeviceCookie } from './api/sign-in/device-cookie.ts';
import { invitationRoutes } from './api/sign-in/invitation.routes.ts';
import { requireSession } from './api/sign-in/require-session.ts';
import { resetRoutes } from './api/sign-in/reset.routes.ts';
import { createSessionCookie } from './api/sign-in/session-cookie.ts';
import { signInRoutes } from './api/sign-in/sign-in.routes.ts';
import type { SignInRouteDeps } from './api/sign-in/sign-in-route-deps.ts';
import { type Clients, createClients } from './clients/clients.ts';
import { createFormTokens, type FormTokens } from './clients/form-tokens.ts';
import { createLimitedFind } from './clients/page-limits.ts';
import { createServiceClients } from './clients/service-clients.ts';
import { createSessions, type Sessions } from './clients/session-store.ts';
import { createSignInAttempts } from './clients/sign-in-attempts.ts';
import type { SettingsUiConfig } from './config.ts';
import { adminEntity } from './data/admin.entity.ts';
import { auditEntryEntity } from './data/audit-entry.entity.ts';
import { invitationEntity } from './data/invitation.entity.ts';
import { migrations } from './data/migrations/index.ts';
import type { Derive } from './domain/sign-in/password-hash.ts';
import { createPasswordHasher } from './state/password-hasher.ts';
import { createSuspensions } from './state/suspensions.ts';
import { findSession } from './use-cases/find-session.ts';
import { orNull } from './use-cases/or-null.ts';
import { createRetentionWorker } from './workers/retention.worker.ts';

interface SettingsUiService {
  components: Component[];
  api: App;
  internal: App;
}

export async function buildSettingsUi(
  config: SettingsUiConfig,
  context: ServiceContext,
  /** Replaces argon2, for tests. */
  { derive }: { derive?: Derive } = {},
): Promise<SettingsUiService> {
  const { logger, metrics } = context;
  const signer = await createIdentitySigner({
    issuer: 'settings-ui',
    privateKeyFile: config.IDENTITY_PRIVATE_KEY_FILE,
  });
  const verifier = await createIdentityVerifier({
    audience: 'settings-ui',
    publicKeysFile: config.IDENTITY_PUBLIC_KEYS_FILE,
  });
  const database = createDatabase({
    ...databaseSettings(config),
    entities: [adminEntity, invitationEntity, auditEntryEntity],
    migrations,
    logger,
    metrics,
  });
  const { redis, component: redisComponent } = createRedis({
    ...redisSettings(config),
    service: 'settings-ui',
    name: 'sessions',
    keys: ['settings:session:0', 'rate:{pages-tenant:0}'],
    ...{ logger, metrics },
  });
  const services = createServiceClients(config, signer, metrics);
  const clients = createClients(services, { readTimeoutMs: config.PAGE_TIMEOUT_MS });
  const secrets = createSecretBox(await loadSecretKeys(config.SECRET_KEYS_FILE));
  const sessions = createSessions(redis, secrets);
  const stores = {
    database,
    sessions,
    findLimited: createLimitedFind(redis, sessions, {
      session: config.SESSION_REQUESTS_PER_MINUTE,
      tenant: config.TENANT_REQUESTS_PER_MINUTE,
    }),
    attempts: createSignInAttempts(redis),
    forms: createFormTokens(redis),
    passwords: createPasswordHasher(derive && { by: derive }),
    ...{ clients, gateway: clients.gateway },
  };

  const assets = loadAssets();
  const pages = createPages(assets);
  const isSecure = config.SETTINGS_URL.startsWith('https:');
  const api = createApp({ logger, metrics, isPublic: true, answerFailure: pages.answerFailure });
  await serveBrowsers(api, { isSecure });
  assetRoutes(api, assets);
  const clientAddress = createClientAddress(config.TRUSTED_PROXIES, logger);
  pageRoutes(api, config, {
    ...{ ...stores, pages },
    cookie: createSessionCookie({ isSecure }),
    deviceCookie: createDeviceCookie({ isSecure, secrets }),
    addressOf: (request) => clientAddress(request),
  });

  const internal = createApp({ logger, metrics });
  healthRoutes(internal, { components: () => components, metrics });
  void internal.register(async (guarded: App) => {
    requireIdentity(guarded, { verifier, roles: ['operator'] });
    adminRoutes(guarded, { ...stores, settingsUrl: config.SETTINGS_URL });
  });

  const components: Component[] = [
    database,
    redisComponent,
    ...Object.values(services),
    createRetentionWorker({ database, logger }),
    httpComponent({ name: 'internal', app: internal, host: config.HOST, port: config.INTERNAL_PORT }),
    httpComponent({ name: 'api', app: api, host: config.HOST, port: config.PORT }),
  ];
  return { components, api, internal };
}

interface PageDeps extends SignInRouteDeps {
  /** Finds the session of a token and counts the request against its limits. */
  findLimited: Sessions['find'];
  forms: FormTokens;
  clients: Clients;
}

/** Few of them are for everybody, the others for who is signed in. */
function pageRoutes(app: App, config: SettingsUiConfig, deps: PageDeps): void {
  app.decorateRequest('session');
  app.decorateRequest('tenantId');
  app.decorateRequest('isSuspended', false);
  signInRoutes(app, deps);
  resetRoutes(app, deps);
  invitationRoutes(app, deps);
  void app.register(async (guarded: App) => guardedRoutes(guarded, config, deps));
}

function guardedRoutes(
  app: App,
  { SETTINGS_URL: settingsUrl, PUBLIC_URL: publicUrl, EXPORT_TIMEOUT_MS: exportTimeoutMs }: SettingsUiConfig,
  deps: PageDeps,
): void {
  const { database, sessions, findLimited, clients, pages, cookie } = deps;
  const findBy = (token: string, { isLive }: { isLive: boolean }) =>
    findSession({ database, find: isLive ? sessions.peek : findLimited }, token);
  requireSession(app, { cookie, findSession: findBy });
  keepSuspendedReadOnly(
    app,
    createSuspensions((tenantId) => orNull(clients.gateway.tenant(tenantId))),
  );
  limitConcurrentRequests(app);
  takeFormsOnce(app, deps.forms);
  const isSignedIn = async ({ session }: FastifyRequest) =>
    (await findBy(session.token, { isLive: true })) !== null;
  const streams = createLiveStreams(app, { isSignedIn, pages });
  const area = { ...clients, database, pages, streams, settingsUrl, publicUrl, changes: createChanges(deps) };
  overviewRoutes(app, area);
  dayRoutes(app, area);
  weekRoutes(app, area);
  liveCalendarRoutes(app, area);
  appointmentsRoutes(app, area);
  customersRoutes(app, { ...area, exportTimeoutMs, isSignedIn });
  callsRoutes(app, area);
  businessRoutes(app, area);
  integrationsRoutes(app, area);
  peopleRoutes(app, area);
  auditRoutes(app, area);
  searchRoutes(app, area);
  accountRoutes(app, deps);
}
