import { randomInt } from 'node:crypto';
import {
  adminUserSchema,
  createdApiKey,
  type EmailSummary,
  importedBusiness,
  type MemberRole,
  settingsRoutes,
  tenantSchema,
} from '@frontdesk/contracts';
import { requestOf } from '@frontdesk/service';
import { Redis } from 'ioredis';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createSeedClients, type SeedClients } from '../../scripts/seed/clients.ts';
import { administratorPassword } from '../../scripts/start/engines/engine-passwords.ts';
import { keyFilesIn } from '../../scripts/start/keys/identity-keys.ts';
import { systemPorts } from '../../scripts/start/processes/ports.ts';
import { apiClient } from '../e2e/support/api.ts';
import { type Business, DOCUMENT, PROFILE } from '../e2e/support/business.ts';
import { type Target, targetOf } from '../e2e/support/target.ts';
import { storedSession } from '../integration/settings-ui/session-of.ts';
import { eventually, type Receiver, sharedSystem, startReceiver } from '../support/index.ts';
import type { SharedSystem } from '../support/shared-system.ts';

export const PASSWORD = 'three calm walruses';
/** End waits for what never comes. */
const PAGE_TIMEOUT_MS = 120_000;
const TEST_TIMEOUT_MS = 900_000;

export interface View {
  width: 390 | 1280;
  hasScripts?: boolean;
}

/** A business with an admin. */
export type BusinessOfAdmin = Business & { email: string; key: string };

interface Opened {
  system: SharedSystem;
  browser: Browser;
  clients: SeedClients;
}

/** Whatever a page complains about by itself; answers of 4xx are not among it. */
const isComplaint = (text: string) => !text.startsWith('Failed to load resource');

/** Nothing is seen of a page, hence nothing pressed or filled in, before its scripts listen. What has the focus keeps it. */
const showWhenLoaded = `
  const unseen = new CSSStyleSheet();
  unseen.replaceSync('html { transform: scale(0) !important; }');
  document.adoptedStyleSheets = [unseen];
  addEventListener('load', () => { document.adoptedStyleSheets = []; }, { once: true });`;

/** A zone where it is about noon: no test comes to see midnight, or a change of the clocks. */
function zoneAtNoon(): string {
  const offset = 12 - new Date().getUTCHours();
  // Etc/GMT-3 is three hours ahead of UTC.
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

/** Attempts to sign in are counted by address. */
const randomAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

async function open(): Promise<Opened> {
  const system = await sharedSystem();
  const browser = await chromium.connect(system.browser);
  return { system, browser, clients: await createSeedClients(system.urls, system.keysDirectory) };
}

/**
 * The real system, and a real browser to look at it with. All tests of the run share both: each makes businesses of its own, and
 * opens pages of its own, which are closed after it. None may complain.
 */
export function useBrowserWorld() {
  jest.setTimeout(TEST_TIMEOUT_MS);
  let opened: Opened | undefined;
  const complaints: string[] = [];
  const world = (): Opened => {
    if (!opened) throw new Error('The system is there once the tests begin.');
    return opened;
  };

  beforeAll(async () => {
    opened = await open();
  });
  afterEach(async () => {
    const heard = complaints.splice(0);
    await Promise.all(opened?.browser.contexts().map((context) => context.close()) ?? []);
    expect(heard).toEqual([]);
  });
  afterAll(async () => {
    await opened?.browser.close();
    await opened?.clients.close();
  });

  return {
    get target(): Target {
      return targetOf(world().system);
    },
    async newPage(view: View = { width: 1280 }): Promise<Page> {
      const { browser, system } = world();
      const context = await browser.newContext({
        baseURL: system.urls.settingsUi,
        // A colour that is still on its way to another one is nobody's fault.
        reducedMotion: 'reduce',
        javaScriptEnabled: view.hasScripts ?? true,
        viewport: { width: view.width, height: 800 },
        permissions: ['clipboard-read', 'clipboard-write'],
        extraHTTPHeaders: { 'x-forwarded-for': randomAddress() },
      });
      if (view.hasScripts ?? true) await context.addInitScript(showWhenLoaded);
      const page = await context.newPage();
      page.setDefaultTimeout(PAGE_TIMEOUT_MS);
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && isComplaint(message.text())) complaints.push(message.text());
      });
      return page;
    },
    /** `document`: what it is set up with; without one there is a service, and three who perform it. */
    newBusiness: (name: string, document?: object) => newBusiness(world(), name, document),
    /** The password was last shown in this page so many minutes ago. */
    async confirmedAgo(page: Page, minutes: number): Promise<void> {
      const { portBase, keysDirectory } = world().system;
      const files = keyFilesIn(keysDirectory);
      const redis = new Redis(systemPorts(portBase).redis, '127.0.0.1', {
        username: 'admin',
        password: await administratorPassword('redis', files),
      });
      const cookies = await page.context().cookies();
      const token = cookies.find(({ name }) => name === 'frontdesk')?.value ?? '';
      const { session, replace } = await storedSession(redis, token, files.secretKeys('settings-ui'));
      await replace({ ...session, confirmedAt: Date.now() - minutes * 60_000 });
      redis.disconnect();
    },
    /** The link that invites the address. There is no mail server: emails wait for the operator. */
    async linkSentTo(email: string): Promise<string> {
      const { settings } = world().clients;
      const asked = { role: 'operator', query: { state: 'waiting', per_page: 100 } } as const;
      const sent = await eventually(async () => {
        const emails = await settings.request(requestOf(settingsRoutes.listEmails, asked));
        const isIt = ({ kind, recipient }: EmailSummary) => kind === 'invitation' && recipient === email;
        const { id } = emails.find(isIt) ?? {};
        if (id === undefined) throw new Error(`No email to ${email} yet.`);
        const { text } = await settings.request(requestOf(settingsRoutes.getEmail, { role: 'operator', id }));
        return /http\S+token=\S+/.exec(text ?? '') ?? Promise.reject(new Error('It has no link yet.'));
      });
      return sent[0];
    },
    /** Somebody else of the business. @returns their email */
    async newMember({ tenant }: Business, role: MemberRole): Promise<string> {
      const email = `${role}-${tenant.id}@salon.example`;
      await world().clients.settings.request({
        method: 'POST',
        path: `/internal/tenants/${tenant.id}/admins`,
        schema: adminUserSchema,
        body: { email, password: PASSWORD, role },
      });
      return email;
    },
    /** Leads to the page with this heading, which the role has to open. */
    async signIn(
      page: Page,
      email: string,
      { to, heading } = { to: '/settings/api', heading: 'API and webhooks' },
    ): Promise<Page> {
      await page.goto(to);
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      return page;
    },
  };
}

/** As the operator's command line makes it, without a process for every step. */
async function newBusiness(
  { clients, system }: Opened,
  name: string,
  document: object = DOCUMENT,
): Promise<BusinessOfAdmin> {
  const { gateway, schedulingAdmin, settings } = clients;
  const post = { method: 'POST' } as const;
  const tenant = await gateway.request({
    ...post,
    path: '/internal/tenants',
    schema: tenantSchema,
    body: { name, ...PROFILE, timezone: zoneAtNoon() },
  });
  const path = `/internal/tenants/${tenant.id}`;
  const email = `admin-${tenant.id}@salon.example`;
  const [{ key }, imported] = await Promise.all([
    gateway.request({ ...post, path: `${path}/keys`, body: { name: 'e2e' }, schema: createdApiKey }),
    schedulingAdmin.request({
      method: 'PUT',
      path: `${path}/business`,
      schema: importedBusiness,
      body: document,
    }),
    settings.request({
      ...post,
      path: `${path}/admins`,
      schema: adminUserSchema,
      body: { email, password: PASSWORD },
    }),
  ]);
  return {
    tenant,
    email,
    key,
    api: apiClient(system.urls.gateway, key),
    serviceId: imported.services[0]?.id ?? 0,
    staffIds: imported.staff.map(({ id }) => id),
  };
}

/**
 * Presses the button that copies, and looks that it says so. All pages of the run share one clipboard: it is pressed again until there
 * is what fits.
 * @returns what it has copied
 */
export async function copyBy(page: Page, button: string, fitting: RegExp): Promise<string> {
  // What it says goes again by itself: not before it is seen.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const text = await eventually(async () => {
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    await page.clock.runFor(2_000);
    expect(copied).toMatch(fitting);
    return copied;
  });
  await page.clock.resume();
  return text;
}

/** A receiver of webhooks that answers 200 to every test, by default. */
export function useReceiver(): Pick<Receiver, 'url' | 'requests' | 'respondWith'> {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  beforeEach(() => {
    receiver.requests.length = 0;
    receiver.respondWith(() => ({ status: 200 }));
  });
  afterAll(() => receiver.close());
  return {
    get url() {
      return receiver.url;
    },
    get requests() {
      return receiver.requests;
    },
    respondWith: (responder) => receiver.respondWith(responder),
  };
}
