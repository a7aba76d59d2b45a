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
import { dayRoutes } from './api/appointments/day.routes.ts';
import { businessRoutes } from './api/business/business.routes.ts';
import { callMessageRoutes } from './api/calls/call-messages.routes.ts';
import { callSourceActionRoutes } from './api/calls/call-source-actions.routes.ts';
import { callSourceRoutes } from './api/calls/call-sources.routes.ts';
import { createCallsPage } from './api/calls/calls-page.ts';
import { createApiPage } from './api/integrations/api-page.ts';
import { apiSettingsRoutes } from './api/integrations/api-settings.routes.ts';
import { deliveryRoutes } from './api/integrations/deliveries.routes.ts';
import { docsRoutes } from './api/integrations/docs.routes.ts';
import { endpointRoutes } from './api/integrations/endpoint.routes.ts';
import { createEndpointPage } from './api/integrations/endpoint-page.ts';
import { keyRoutes } from './api/integrations/keys.routes.ts';
import { liveDeliveriesRoutes } from './api/integrations/live-deliveries.routes.ts';
import { replayRoutes } from './api/integrations/replays.routes.ts';
import { webhookActionRoutes } from './api/integrations/webhook-actions.routes.ts';
import { webhookRoutes } from './api/integrations/webhooks.routes.ts';
import { overviewRoutes } from './api/overview/overview.routes.ts';
import { adminRoutes } from './api/people/admins.routes.ts';
import { auditRoutes } from './api/people/audit.routes.ts';
import { peopleRoutes } from './api/people/people.routes.ts';
import { assetRoutes, loadAssets } from './api/shared/assets.routes.ts';
import { createChanges } from './api/shared/changes.ts';
import { createLiveStreams } from './api/shared/live-streams.ts';
import { createPages } from './api/shared/pages.ts';
import { serveBrowsers } from './api/shared/web.ts';
import { accountRoutes } from './api/sign-in/account.routes.ts';
import { invitationRoutes } from './api/sign-in/invitation.routes.ts';
import { requireSession } from './api/sign-in/require-session.ts';
import { resetRoutes } from './api/sign-in/reset.routes.ts';
import { createSessionCookie } from './api/sign-in/session-cookie.ts';
import { signInRoutes } from './api/sign-in/sign-in.routes.ts';
import { createAppointmentsClient } from './clients/appointments.client.ts';
import { createCallsClient } from './clients/calls.client.ts';
import { createGatewayClient } from './clients/gateway.client.ts';
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
  const gateway = createGatewayClient(services.gateway, { readTimeoutMs });
  const webhooks = createWebhooksClient(services.webhooks, { readTimeoutMs });
  const scheduling = createSchedulingClient(services.scheduling, { readTimeoutMs });
  const replays = createReplaysClient(services.webhooks, { readTimeoutMs });
  const appointments = createAppointmentsClient(services, { readTimeoutMs });
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
    overviewRoutes(guarded, { clients: { gateway, statistics }, pages });
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
    dayRoutes(guarded, { gateway, appointments, pages });
    const callsPage = createCallsPage({ gateway, calls, pages });
    const sourceDeps = { calls, changes, page: callsPage };
    callSourceRoutes(guarded, sourceDeps);
    callSourceActionRoutes(guarded, { ...sourceDeps, customers: appointments });
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
