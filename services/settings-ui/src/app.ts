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
  guardInternalPort,
  healthRoutes,
  httpComponent,
  loadSecretKeys,
  requireIdentity,
  type ServiceContext,
  watchIdentityKeys,
} from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { invitationEntity } from './accounts/invitation.entity.ts';
import { membershipEntity } from './accounts/membership.entity.ts';
import { appointmentRoutes } from './appointments/appointment.routes.ts';
import { editRoutes } from './appointments/edit.routes.ts';
import { moveRoutes } from './appointments/move.routes.ts';
import type { AreaDeps } from './area-deps.ts';
import { auditRoutes } from './audit/audit.routes.ts';
import { auditEntryEntity } from './audit/audit-entry.entity.ts';
import { createWrongPasswords } from './audit/note-wrong-password.ts';
import { createOperatorChangesWorkers } from './audit/operator-changes.worker.ts';
import { createRetentionWorker } from './audit/retention.worker.ts';
import { createWrongPasswordsWorker } from './audit/wrong-passwords.worker.ts';
import { bookingRoutes } from './booking/booking.routes.ts';
import { customerSearchRoutes } from './booking/customer-search.routes.ts';
import { profileRoutes } from './business/profile.routes.ts';
import { dayRoutes } from './calendar/day.routes.ts';
import { liveCalendarRoutes } from './calendar/live-calendar.routes.ts';
import { weekRoutes } from './calendar/week.routes.ts';
import { sourcesRoutes } from './call-sources/all-sources.routes.ts';
import { callRoutes } from './calls/call.routes.ts';
import { callListRoutes } from './calls/calls-list.routes.ts';
import { liveCallListRoutes } from './calls/live-call-lists.routes.ts';
import { type ChangeLimits, createChangeLimits } from './changes/change-limits.ts';
import { createChanges } from './changes/changes.ts';
import { createFormTokens, type FormTokens } from './changes/form-tokens.ts';
import { takeFormsOnce } from './changes/sent-once.ts';
import { type Clients, createClients } from './clients/clients.ts';
import { createInternalApis } from './clients/internal-apis.client.ts';
import { orNull } from './clients/or-null.ts';
import type { SettingsUiConfig } from './config.ts';
import { customersRoutes } from './customers/customers.routes.ts';
import { deliveryRoutes } from './deliveries/deliveries.routes.ts';
import { liveDeliveryRoutes } from './deliveries/live-delivery.routes.ts';
import { designRoutes } from './design/design.routes.ts';
import { docsRoutes } from './docs/docs.routes.ts';
import { endpointRoutes } from './endpoints/endpoint.routes.ts';
import { endpointChangesRoutes } from './endpoints/endpoint-changes.routes.ts';
import { createEndpointPage } from './endpoints/endpoint-page.ts';
import { liveEndpointRoutes } from './endpoints/live-endpoint.routes.ts';
import { replayRoutes } from './endpoints/replays.routes.ts';
import { openingHoursRoutes } from './hours/opening-hours.routes.ts';
import { createApiPage } from './integrations/api-page.ts';
import { integrationsRoutes } from './integrations/integrations.routes.ts';
import { createKeyExpiryWorker } from './integrations/key-expiry.worker.ts';
import { limitConcurrentRequests } from './limits/concurrent-requests.ts';
import { createLimitedFind } from './limits/page-limits.ts';
import { createLiveStreams } from './live/live-streams.ts';
import type { Composers } from './mail/compose-email.ts';
import { createMail } from './mail/create-mail.ts';
import { mailRoutes } from './mail/mail.routes.ts';
import { createMailLimits } from './mail/mail-limits.ts';
import { migrations } from './migrations/index.ts';
import type { Derive } from './passwords/password-hash.rules.ts';
import { createPasswordHasher } from './passwords/password-hasher.ts';
import { adminRoutes } from './people/admins.routes.ts';
import { invitationRoutes } from './people/invitation.routes.ts';
import { composeInvitation } from './people/invite-admin.ts';
import { peopleRoutes } from './people/people.routes.ts';
import { searchRoutes } from './search/search.routes.ts';
import { serviceRoutes } from './services/services.routes.ts';
import { createDeviceCookie, createPendingCookie, createSessionCookie } from './session/cookies.ts';
import { findSession } from './session/find-session.ts';
import { keepSuspendedReadOnly } from './session/keep-suspended-read-only.ts';
import { createPendingSignIns } from './session/pending-sign-ins.ts';
import { requireConfirmation } from './session/require-confirmation.ts';
import { requireSession } from './session/require-session.ts';
import type { StoredSession } from './session/session.rules.ts';
import { createSessions, type Sessions } from './session/session-store.ts';
import { createTenantStates } from './session/tenant-states.cache.ts';
import { settingsIndexRoutes } from './settings-index/settings-index.routes.ts';
import { accountRoutes } from './sign-in/account.routes.ts';
import { addressLinkRoutes, changeAddressRoutes } from './sign-in/address.routes.ts';
import { chooseBusinessRoutes, switchBusinessRoutes } from './sign-in/business.routes.ts';
import { endLostBusiness } from './sign-in/choose-business.ts';
import { accountComposers } from './sign-in/compose-account-emails.ts';
import { confirmRoutes } from './sign-in/confirm.routes.ts';
import { forgotRoutes } from './sign-in/forgot.routes.ts';
import { confirmSession } from './sign-in/own-password.ts';
import { resetRoutes } from './sign-in/reset.routes.ts';
import { sessionsRoutes } from './sign-in/sessions.routes.ts';
import { signInRoutes } from './sign-in/sign-in.routes.ts';
import { createSignInAttempts } from './sign-in/sign-in-attempts.ts';
import type { SignInRouteDeps } from './sign-in/sign-in-route-deps.ts';
import { staffRoutes } from './staff/staff.routes.ts';
import { staffMemberRoutes } from './staff/staff-member.routes.ts';
import { statisticsRoutes } from './statistics/statistics.routes.ts';
import { todayRoutes } from './today/today.routes.ts';
import { createTodayPage, type TodayPage } from './today/today-page.ts';
import { assetRoutes } from './ui/assets.routes.ts';
import { loadAssets } from './ui/assets.ts';
import { createPages } from './ui/pages.ts';
import { serveBrowsers } from './ui/web.ts';

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
    logger,
  });
  const verifier = await createIdentityVerifier({
    audience: 'settings-ui',
    publicKeysFile: config.IDENTITY_PUBLIC_KEYS_FILE,
    logger,
  });
  watchIdentityKeys(metrics, verifier);
  const database = createDatabase({
    ...databaseSettings(config),
    entities: [membershipEntity, invitationEntity, auditEntryEntity],
    migrations,
    logger,
    metrics,
  });
  const { redis, component: redisComponent } = createRedis({
    ...redisSettings(config),
    service: 'settings-ui',
    name: 'sessions',
    keys: ['settings:session:0', 'rate:{pages-tenant:0}'],
    logger,
    metrics,
  });
  const services = createInternalApis(config, signer, metrics);
  const clients = createClients(services, { readTimeoutMs: config.PAGE_TIMEOUT_MS });
  const secrets = createSecretBox(await loadSecretKeys(config.SECRET_KEYS_FILE));
  const sessions = createSessions(redis, secrets);
  const pendingSignIns = createPendingSignIns(redis, secrets);
  const perMinute = {
    session: config.SESSION_REQUESTS_PER_MINUTE,
    tenant: config.TENANT_REQUESTS_PER_MINUTE,
  };
  const tenantOf = ({ tenantId }: StoredSession) => tenantId;
  const wrongPasswords = createWrongPasswords({ database, logger, metrics });
  const stores = {
    database,
    sessions,
    pendingSignIns,
    findLimited: createLimitedFind(redis, { find: sessions.find, tenantOf, perMinute }),
    findForStream: createLimitedFind(redis, {
      find: sessions.peek,
      tenantOf,
      perMinute,
      counted: 'pages-live',
    }),
    findPending: createLimitedFind(redis, { find: pendingSignIns.peek, tenantOf: () => null, perMinute }),
    attempts: createSignInAttempts(redis),
    noteWrongPassword: wrongPasswords.note,
    mailLimits: createMailLimits(redis),
    forms: createFormTokens(redis),
    changeLimits: createChangeLimits(redis),
    passwords: createPasswordHasher(derive && { by: derive }),
    clients,
    gateway: clients.gateway,
  };

  const links = { database, settingsUrl: config.SETTINGS_URL };
  const composers: Composers = { invitation: composeInvitation(links), ...accountComposers(links) };

  const assets = loadAssets();
  const pages = createPages(assets);
  const isSecure = config.SETTINGS_URL.startsWith('https:');
  const api = createApp({ logger, metrics, isPublic: true, answerError: pages.answerError });
  await serveBrowsers(api, { isSecure });
  assetRoutes(api, assets);
  const sessionCookie = createSessionCookie({ isSecure });
  const clientAddress = createClientAddress(config.TRUSTED_PROXIES, logger);
  pageRoutes(api, config, {
    ...stores,
    pages,
    cookie: sessionCookie,
    pendingCookie: createPendingCookie({ isSecure }),
    deviceCookie: createDeviceCookie({ isSecure, secrets }),
    addressOf: clientAddress,
    clientOf: (request) => ({
      address: clientAddress(request),
      userAgent: request.headers['user-agent'] ?? '',
    }),
    peekSession: async (request) => {
      const token = sessionCookie.read(request);
      const found = token === undefined ? null : await findSession({ database, find: sessions.peek }, token);
      return found && 'tenantId' in found ? found : null;
    },
  });

  const internal = createApp({ logger, metrics });
  guardInternalPort(internal, verifier);
  healthRoutes(internal, { components: () => components, metrics });
  void internal.register(async (guarded: App) => {
    requireIdentity(guarded, { verifier, roles: ['operator'] });
    adminRoutes(guarded, { ...stores, settingsUrl: config.SETTINGS_URL });
    mailRoutes(guarded, { database, secrets });
  });

  const components: Component[] = [
    database,
    redisComponent,
    ...Object.values(services),
    { name: 'passwords', stop: stores.passwords.stop },
    createRetentionWorker({ database, logger }),
    createWrongPasswordsWorker({ database, wrongPasswords, logger }),
    ...createMail({ ...stores, config, composers, secrets, logger, metrics }),
    createKeyExpiryWorker({ database, gateway: services.gateway, logger }),
    ...createOperatorChangesWorkers({ database, services, logger, metrics }),
    httpComponent({ name: 'internal', app: internal, host: config.HOST, port: config.INTERNAL_PORT }),
    httpComponent({ name: 'api', app: api, host: config.HOST, port: config.PORT }),
  ];
  return { components, api, internal };
}

interface PageDeps extends SignInRouteDeps {
  /** Finds the session of a token and counts the request against its limits. */
  findLimited: Sessions['find'];
  /** The same for a stream, which doesn't use the session and has limits of its own. */
  findForStream: Sessions['find'];
  forms: FormTokens;
  changeLimits: ChangeLimits;
  clients: Clients;
}

/** Few of them are for everybody, the others for who is signed in. */
function pageRoutes(app: App, config: SettingsUiConfig, deps: PageDeps): void {
  app.decorateRequest('session');
  app.decorateRequest('tenantId');
  app.decorateRequest('formTakenOn');
  app.decorateRequest('isSuspended', false);
  app.decorateRequest('isUnconfirmed', false);
  app.decorateRequest('businessName', null);
  signInRoutes(app, deps);
  chooseBusinessRoutes(app, deps);
  resetRoutes(app, deps);
  forgotRoutes(app, deps);
  addressLinkRoutes(app, deps);
  invitationRoutes(app, deps);
  void app.register(async (guarded: App) => guardedRoutes(guarded, config, deps));
}

function guardedRoutes(app: App, config: SettingsUiConfig, deps: PageDeps): void {
  const { SETTINGS_URL: settingsUrl, PUBLIC_URL: publicUrl, EXPORT_TIMEOUT_MS: exportTimeoutMs } = config;
  const { database, sessions, findLimited, findForStream, clients, pages, cookie } = deps;
  const lookups = {
    use: {
      find: findLimited,
      adopt: (...found: Parameters<Sessions['adopt']>) => orNull(sessions.adopt(...found)),
    },
    live: { find: findForStream },
    again: { find: sessions.peek },
  };
  requireSession(app, {
    cookie,
    findSession: (token, look) => findSession({ database, ...lookups[look] }, token),
    askForBusiness: (reply, lost) => endLostBusiness(deps, reply, lost),
  });
  const isSignedIn = async ({ session }: FastifyRequest) => {
    const found = await findSession({ database, find: sessions.peek }, session.token);
    // Of another role, what is open may show more than it should.
    return found !== null && !('validProof' in found) && found.role === session.role;
  };
  const streams = createLiveStreams(app, { isSignedIn, pages });
  const stateOf = createTenantStates((tenantId) => orNull(clients.gateway.tenant({ tenantId })));
  keepSuspendedReadOnly(app, stateOf);
  requireConfirmation(app, (request, password) =>
    confirmSession(deps, request.session, { password, address: deps.addressOf(request) }),
  );
  limitConcurrentRequests(app);
  takeFormsOnce(app, deps.forms);
  const area = {
    ...clients,
    database,
    forms: deps.forms,
    pages,
    streams,
    settingsUrl,
    publicUrl,
    changes: createChanges({ ...deps, stateOf }),
  };
  const today = createTodayPage(area);
  todayRoutes(app, { ...area, page: today });
  dayRoutes(app, area);
  weekRoutes(app, area);
  liveCalendarRoutes(app, area);
  appointmentsRoutes(app, { ...area, today });
  customersRoutes(app, { ...area, exportTimeoutMs, isSignedIn });
  callsRoutes(app, { ...area, today });
  businessRoutes(app, area);
  programsRoutes(app, area);
  peopleRoutes(app, { ...area, mailLimits: deps.mailLimits, isMailSent: config.SMTP_URL !== undefined });
  settingsIndexRoutes(app, area);
  statisticsRoutes(app, area);
  auditRoutes(app, area);
  searchRoutes(app, area);
  accountRoutes(app, deps);
  sessionsRoutes(app, { ...deps, changes: area.changes });
  confirmRoutes(app, deps);
  changeAddressRoutes(app, { ...deps, changes: area.changes });
  switchBusinessRoutes(app, deps);
  if (config.DESIGN_PAGE) designRoutes(app, deps);
}

/** Booking, and what is done to an appointment. */
function appointmentsRoutes(app: App, deps: AreaDeps & { today: TodayPage }): void {
  bookingRoutes(app, deps);
  appointmentRoutes(app, deps);
  editRoutes(app, deps);
  moveRoutes(app, deps);
  customerSearchRoutes(app, deps);
}

/** How admins run the business itself: its profile, services, staff and hours. */
function businessRoutes(app: App, deps: AreaDeps): void {
  profileRoutes(app, deps);
  serviceRoutes(app, deps);
  staffRoutes(app, deps);
  staffMemberRoutes(app, deps);
  openingHoursRoutes(app, deps);
}

/** Calls, where they come from, and what has come in. */
function callsRoutes(app: App, deps: AreaDeps & { today: TodayPage }): void {
  callListRoutes(app, deps);
  callRoutes(app, deps);
  liveCallListRoutes(app, deps);
  sourcesRoutes(app, deps);
}

/** How programs work with the business: keys, webhooks and what became of each delivery, the documentation. */
function programsRoutes(app: App, deps: AreaDeps): void {
  const list = createApiPage(deps);
  integrationsRoutes(app, { ...deps, page: list });
  deliveryRoutes(app, deps);
  liveDeliveryRoutes(app, deps);
  const page = createEndpointPage(deps);
  liveEndpointRoutes(app, deps);
  endpointRoutes(app, { ...deps, page });
  endpointChangesRoutes(app, { ...deps, page, list });
  replayRoutes(app, { ...deps, page });
  docsRoutes(app, deps);
}
