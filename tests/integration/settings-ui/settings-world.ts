import { randomUUID } from 'node:crypto';
import type { MemberRole } from '@frontdesk/contracts';
import { createDatabase, systemSql, tenantSql } from '@frontdesk/database';
import { createMetrics, loadConfig, startComponents } from '@frontdesk/service';
import { membershipEntity } from '../../../services/settings-ui/src/accounts/membership.entity.ts';
import { buildSettingsUi } from '../../../services/settings-ui/src/app.ts';
import { auditEntryEntity } from '../../../services/settings-ui/src/audit/audit-entry.entity.ts';
import { configSchema } from '../../../services/settings-ui/src/config.ts';
import { migrations } from '../../../services/settings-ui/src/migrations/index.ts';
import type { Derive } from '../../../services/settings-ui/src/passwords/password-hash.rules.ts';
import {
  createTestDatabase,
  engines,
  eventually,
  identityKeys,
  logger,
  operator,
  PATIENT_BOUNDS,
  patientUrl,
  signedRequests,
  startMailServer,
  uniqueTenantId,
} from '../../support/index.ts';
import { PATIENT_ENV, PATIENT_MS, PATIENT_PAGES } from '../../support/patient-env.ts';
import { type Gateway, type GatewayWorld, startGatewayWorld } from '../gateway/gateway-world.ts';
import { type RunningWebhooks, startWebhooks } from '../webhooks/webhooks-world.ts';
import { createBrowser } from './inject-browser.ts';
import { quickDerive } from './quick-derive.ts';

export const PUBLIC_URL = 'https://desk.example.com';
/** Where a service that others ask listens. */
export const LOCAL = { host: '127.0.0.1', port: 0 };
/** Refuse every connection. */
export const NOBODY = 'http://127.0.0.1:1';
export const NO_REDIS = 'redis://127.0.0.1:1';
/** A webhook endpoint that nothing ever answers, as its name is none. */
export const UNANSWERED = 'https://nobody.invalid/hooks';
export const PASSWORD = 'three calm walruses';

export type SettingsWorld = Awaited<ReturnType<typeof startSettingsWorld>>;
type Settings = Awaited<ReturnType<typeof buildSettingsUi>>;

const insertMembership = tenantSql<never, { folded: string }>(
  'test_join',
  'insert into memberships (tenant_id, account_id) select $tenantId, id from accounts where email_folded = $folded',
);

/** Sessions and attempts are kept by account, in a Redis that other tests use as well. */
const beginAccountsAt = systemSql<never, { first: number }>(
  'test_accounts_from',
  "select setval(pg_get_serial_sequence('accounts', 'id'), $first::bigint)",
);

interface WorldOptions {
  /** Stands in for argon2. */
  derive?: Derive;
  /** Whether it collects what operators change at other services: it appears in the audit log at any moment. */
  collects?: boolean;
  /** Whether there is a mail server. */
  hasMail?: boolean;
  /** Whether webhooks take in events: for tests that publish some. */
  hasEvents?: boolean;
  /** Starts what else the settings ask. @returns its addresses, as the settings' environment */
  beside?: (gateway: Gateway) => Promise<Record<string, string>>;
}

/** Settings over a real gateway and real webhooks, each with a database of its own. */
export async function startSettingsWorld({
  derive = quickDerive,
  hasEvents = false,
  collects = false,
  hasMail = true,
  beside = async () => ({}),
}: WorldOptions = {}) {
  const [gatewayWorld, webhooks]: [GatewayWorld, RunningWebhooks] = await Promise.all([
    startGatewayWorld(),
    startWebhooks({}, undefined, { hasEvents }),
  ]);
  const gateway: Gateway = await gatewayWorld.startGateway();
  const neighbours = await beside(gateway);
  const testDatabase = await createTestDatabase(migrations, 'settings-ui');
  const database = createDatabase({
    url: testDatabase.url,
    migrations,
    logger,
    bounds: PATIENT_BOUNDS,
    entities: [membershipEntity, auditEntryEntity],
  });
  await database.start();
  await database.system.run(beginAccountsAt, { first: uniqueTenantId() });
  const mail = await startMailServer();
  const keys = identityKeys();
  const stops: (() => Promise<void>)[] = [];

  /** One more process over the same database, once it is ready; `env` goes before what it reads otherwise. */
  const startSettings = async (env: Record<string, string> = {}): Promise<Settings> => {
    const config = loadConfig(configSchema, {
      DATABASE_URL: patientUrl(testDatabase.url),
      REDIS_URL: engines().redisUrl,
      IDENTITY_PUBLIC_KEYS_FILE: keys.publicKeysFile,
      IDENTITY_PRIVATE_KEY_FILE: keys.privateKeyFile('settings-ui'),
      SECRET_KEYS_FILE: keys.secretKeysFile,
      PORT: '0',
      INTERNAL_PORT: '0',
      GATEWAY_INTERNAL_URL: gateway.internalUrl,
      // Services that a test starts itself, where it asks them.
      SCHEDULING_INTERNAL_URL: NOBODY,
      CRM_INTERNAL_URL: NOBODY,
      CALLS_INTERNAL_URL: NOBODY,
      WEBHOOKS_INTERNAL_URL: webhooks.internalUrl,
      SETTINGS_URL: 'http://settings.example.com',
      PUBLIC_URL,
      ...(hasMail && { SMTP_URL: mail.url, MAIL_FROM: 'Frontdesk <desk@frontdesk.example>' }),
      TRUSTED_PROXIES: '127.0.0.1',
      ...PATIENT_ENV,
      ...PATIENT_PAGES,
      REDIS_TIMEOUT_MS: PATIENT_MS,
      ...neighbours,
      ...env,
    });
    const service = await buildSettingsUi(config, { logger, metrics: createMetrics() }, { derive });
    const needed = service.components.filter(({ name }) => collects || !name.startsWith('operator changes'));
    const running = await startComponents(needed, logger);
    stops.push(() => running.stop());
    const isReady = async () => {
      const { statusCode } = await service.internal.inject({ method: 'GET', url: '/health/ready' });
      expect(statusCode).toBe(200);
    };
    if (config.REDIS_URL !== NO_REDIS) await eventually(isReady);
    return service;
  };
  const settings = await startSettings();
  const { send } = signedRequests('settings-ui');

  const asOperator = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
    send(settings.internal, operator, { method, url, body });
  const browser = (on: Settings = settings, address?: string) => createBrowser(on.api, address);

  /** A new admin, an owner of a new tenant unless these are named, with the password `PASSWORD`. */
  const newAdmin = async (tenantId?: number, role?: MemberRole) => {
    const tenant = tenantId ?? (await gatewayWorld.newTenant(gateway));
    // Sign-ins are counted by email, in a Redis that other tests use as well.
    const email = `admin-${randomUUID()}@salon.example`;
    const made = await asOperator('POST', `/internal/tenants/${tenant}/admins`, {
      email,
      password: PASSWORD,
      role,
    });
    if (made.status !== 201) throw new Error(`no admin: ${JSON.stringify(made.body)}`);
    return { tenantId: tenant, email };
  };

  /** Whoever has this email belongs to one more business, a new one unless it is named. */
  const join = async (email: string, tenantId?: number): Promise<number> => {
    const tenant = tenantId ?? (await gatewayWorld.newTenant(gateway));
    await database.forTenant(tenant).run(insertMembership, { folded: email.toLowerCase() });
    return tenant;
  };

  /** The token of the first link that goes to the address. */
  const tokenSentTo = async (email: string): Promise<string> => {
    const { link } = await mail.waitFor(email, (sent) => sent.link?.includes('token=') ?? false);
    return new URL(link ?? '').searchParams.get('token') ?? '';
  };

  return {
    join,
    mail,
    tokenSentTo,
    /** The settings' own, for what no page shows or does. */
    database,
    gatewayWorld,
    gateway,
    webhooks,
    settings,
    startSettings,
    asOperator,
    browser,
    newAdmin,
    /** A browser in which a new admin is signed in. */
    async signedIn(options: { tenantId?: number; role?: MemberRole; on?: Settings } = {}) {
      const admin = await newAdmin(options.tenantId, options.role);
      const page = browser(options.on);
      await page.signIn(admin.email, PASSWORD);
      return { ...admin, browser: page };
    },
    async stop() {
      for (const stop of stops.reverse()) await stop();
      await mail.stop();
      await database.stop();
      await testDatabase.drop();
      await webhooks.stop();
      await gatewayWorld.stop();
    },
  };
}
