import { createDatabase } from '@frontdesk/database';
import { createRedis } from '@frontdesk/redis';
import {
  type App,
  createApp,
  createClientAddress,
  createIdentitySigner,
  createIdentityVerifier,
  healthRoutes,
  httpPart,
  type Part,
  requireIdentity,
  type ServiceContext,
} from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { accountRoutes } from './api/account.routes.ts';
import { adminRoutes } from './api/admins.routes.ts';
import { createApiPage } from './api/api-page.ts';
import { apiSettingsRoutes } from './api/api-settings.routes.ts';
import { assetRoutes, loadAssets } from './api/assets.routes.ts';
import { auditRoutes } from './api/audit.routes.ts';
import { businessRoutes } from './api/business/business.routes.ts';
import { calendarRoutes } from './api/calendar.routes.ts';
import { callMessageRoutes } from './api/call-messages.routes.ts';
import { callSourceActionRoutes } from './api/call-source-actions.routes.ts';
import { callSourceRoutes } from './api/call-sources.routes.ts';
import { createCallsPage } from './api/calls-page.ts';
import { createChanges } from './api/changes.ts';
import { deliveryRoutes } from './api/deliveries.routes.ts';
import { docsRoutes } from './api/docs.routes.ts';
import { endpointRoutes } from './api/endpoint.routes.ts';
import { createEndpointPage } from './api/endpoint-page.ts';
import { invitationRoutes } from './api/invitation.routes.ts';
import { keyRoutes } from './api/keys.routes.ts';
import { liveDeliveriesRoutes } from './api/live-deliveries.routes.ts';
import { createLiveStreams } from './api/live-streams.ts';
import { overviewPageRoutes } from './api/overview-page.routes.ts';
import { createPages } from './api/pages.ts';
import { peopleRoutes } from './api/people.routes.ts';
import { replayRoutes } from './api/replays.routes.ts';
import { requireSession } from './api/require-session.ts';
import { resetRoutes } from './api/reset.routes.ts';
import { createSessionCookie } from './api/session-cookie.ts';
import { signInRoutes } from './api/sign-in.routes.ts';
import { serveBrowsers } from './api/web.ts';
import { webhookActionRoutes } from './api/webhook-actions.routes.ts';
import { webhookRoutes } from './api/webhooks.routes.ts';
import { createCalendarClient } from './clients/calendar.client.ts';
import { createCallsClient } from './clients/calls.client.ts';
import { createKeysClient } from './clients/keys.client.ts';
import { createReplaysClient } from './clients/replays.client.ts';
import { createSchedulingClient } from './clients/scheduling.client.ts';
import { createServiceClients } from './clients/service-clients.ts';
import { createSessions } from './clients/sessions.ts';
import { createSignInAttempts } from './clients/sign-in-attempts.ts';
import { createStatisticsClient } from './clients/statistics.client.ts';
import { createWebhooksClient } from './clients/webhooks.client.ts';
import type { SettingsUiConfig } from './config.ts';
import { migrations } from './data/migrations/index.ts';
import { findSession } from './use-cases/find-session.ts';
import { signIn } from './use-cases/sign-in.ts';

interface SettingsUiService {
  parts: Part[];
  api: App;
  internal: App;
}

export async function buildSettingsUi(
  config: SettingsUiConfig,
  context: ServiceContext,
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
    url: config.DATABASE_URL,
    poolMax: config.DATABASE_POOL_MAX,
    migrations,
    logger,
  });
  const { redis, part: redisPart } = createRedis({
    url: config.REDIS_URL,
    service: 'settings-ui',
    name: 'sessions',
    logger,
  });
  const sessions = createSessions(redis);
  const attempts = createSignInAttempts(redis);

  const services = createServiceClients(config, signer);
  const readTimeoutMs = config.PAGE_TIMEOUT_MS;
  const gateway = createKeysClient(services.gateway, { readTimeoutMs });
  const webhooks = createWebhooksClient(services.webhooks, { readTimeoutMs });
  const scheduling = createSchedulingClient(services.scheduling, { readTimeoutMs });
  const replays = createReplaysClient(services.webhooks, { readTimeoutMs });
  const calendar = createCalendarClient(services, { readTimeoutMs });
  const calls = createCallsClient(services.calls, { readTimeoutMs });
  const clients = { gateway, webhooks };
  const statistics = createStatisticsClient(services, { readTimeoutMs });

  const isSecure = config.SETTINGS_URL.startsWith('https:');
  const clientAddress = createClientAddress(config.TRUSTED_PROXIES);
  const addressOf = (request: FastifyRequest) => clientAddress(request);
  const cookie = createSessionCookie({ isSecure });
  const assets = loadAssets();
  const pages = createPages(assets);

  const api = createApp({ logger, metrics, answerFailure: pages.answerFailure });
  await serveBrowsers(api, { isSecure });
  api.decorateRequest('session');
  api.decorateRequest('tenantId');
  assetRoutes(api, assets);
  signInRoutes(api, {
    ...{ pages, cookie, sessions, addressOf },
    signIn: (attempt) => signIn({ database, sessions, attempts }, attempt),
  });
  resetRoutes(api, { database, pages, addressOf });
  invitationRoutes(api, { database, gateway, pages, addressOf });
  void api.register(async (guarded: App) => {
    const findBy = (token: string, { isLive }: { isLive: boolean }) =>
      findSession({ database, find: isLive ? sessions.peek : sessions.find }, token);
    requireSession(guarded, { cookie, findSession: findBy });
    const streams = createLiveStreams(guarded, {
      isSignedIn: async ({ session }) => (await findBy(session.token, { isLive: true })) !== null,
    });
    const changes = createChanges({ database, addressOf });
    const page = createApiPage({ ...clients, pages, publicUrl: config.PUBLIC_URL });
    overviewPageRoutes(guarded, { clients: { gateway, statistics }, pages });
    apiSettingsRoutes(guarded, { clients, page });
    keyRoutes(guarded, { gateway, changes, page });
    webhookRoutes(guarded, { webhooks, changes, page });
    webhookActionRoutes(guarded, { webhooks, changes, page });
    deliveryRoutes(guarded, { gateway, webhooks, changes, pages });
    liveDeliveriesRoutes(guarded, { ...clients, streams });
    const endpointPage = createEndpointPage({ ...clients, replays, pages });
    endpointRoutes(guarded, { webhooks, changes, page: endpointPage });
    replayRoutes(guarded, { ...clients, replays, changes, page: endpointPage, pages, streams });
    docsRoutes(guarded, { gateway, scheduling, pages, publicUrl: config.PUBLIC_URL });
    calendarRoutes(guarded, { gateway, calendar, pages });
    const callsPage = createCallsPage({ gateway, calls, pages });
    const sourceDeps = { calls, changes, page: callsPage };
    callSourceRoutes(guarded, sourceDeps);
    callSourceActionRoutes(guarded, { ...sourceDeps, customers: calendar });
    callMessageRoutes(guarded, { gateway, calls, changes, pages });
    accountRoutes(guarded, { database, sessions, attempts, pages, cookie, addressOf });
    peopleRoutes(guarded, { database, gateway, changes, pages, settingsUrl: config.SETTINGS_URL });
    auditRoutes(guarded, { database, gateway, pages });
    businessRoutes(guarded, { gateway, scheduling, changes, pages });
  });

  const internal = createApp({ logger, metrics });
  healthRoutes(internal, { parts: () => parts, metrics });
  void internal.register(async (guarded: App) => {
    requireIdentity(guarded, { verifier, roles: ['operator'] });
    adminRoutes(guarded, { database, gateway, settingsUrl: config.SETTINGS_URL });
  });

  const parts: Part[] = [
    database,
    redisPart,
    ...Object.values(services),
    httpPart({ name: 'internal', app: internal, host: config.HOST, port: config.INTERNAL_PORT }),
    httpPart({ name: 'api', app: api, host: config.HOST, port: config.PORT }),
  ];
  return { parts, api, internal };
}
