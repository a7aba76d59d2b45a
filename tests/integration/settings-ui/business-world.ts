import type { IncomingMessage } from 'node:http';
import type { MemberRole } from '@frontdesk/contracts';
import { buildScheduling } from '../../../services/scheduling/src/app.ts';
import { configSchema } from '../../../services/scheduling/src/config.ts';
import { migrations } from '../../../services/scheduling/src/migrations/index.ts';
import { startServiceWorld } from '../../support/index.ts';
import type { Gateway } from '../gateway/gateway-world.ts';
import type { Browser } from './inject-browser.ts';
import { LOCAL, NOBODY, startSettingsWorld } from './settings-world.ts';

export const BUSINESS = '/settings/business';
/** A Monday far enough ahead. */
export const MONDAY = '2031-06-02';

export type BusinessWorld = Awaited<ReturnType<typeof startBusinessWorld>>;

export const STAFF = `${BUSINESS}/staff`;
/** What the form of weekly hours always sends. */
export const HOURS_FORM = { is_form: 'true' };

const startSchedulingOver = (gateway: Gateway) =>
  startServiceWorld({
    name: 'scheduling',
    configSchema,
    migrations,
    build: buildScheduling,
    isWhole: false,
    env: { GATEWAY_INTERNAL_URL: gateway.internalUrl, CRM_INTERNAL_URL: NOBODY },
  });

/** Settings over a real gateway and a real scheduling. */
export async function startBusinessWorld() {
  let scheduling!: Awaited<ReturnType<typeof startSchedulingOver>>;
  const world = await startSettingsWorld({
    async beside(gateway) {
      scheduling = await startSchedulingOver(gateway);
      return { SCHEDULING_INTERNAL_URL: await scheduling.service.internal.listen(LOCAL) };
    },
  });
  const { internal } = scheduling.service;

  return {
    ...world,
    scheduling,
    signedIn: (tenantId?: number, role?: MemberRole) =>
      world.signedIn({ ...(tenantId && { tenantId }), ...(role && { role }) }),
    /** What scheduling's internal port is asked for while the work runs. */
    async askedOfScheduling(work: () => Promise<void>): Promise<string[]> {
      const asked: string[] = [];
      const note = ({ method, url }: IncomingMessage) => asked.push(`${method} ${url}`);
      internal.server.on('request', note);
      await work();
      internal.server.off('request', note);
      return asked;
    },
    /** Starts that integrators are offered. */
    async slotTimes(tenantId: number, serviceId: number, date = MONDAY): Promise<string[]> {
      const path = `/api/v1/appointments/slots?date=${date}&service_id=${serviceId}`;
      const { body } = await scheduling.api(tenantId, 'GET', path);
      return body.data.map(({ time }: { time: string }) => time);
    },
    async stop() {
      await internal.close();
      await scheduling.stop();
      await world.stop();
    },
  };
}

/** The version that a form of the page goes by. */
export const versionIn = (page: string, formId: string): string => versionAfter(page, `id="${formId}"`);

/** The same of a form that has no id but where it is sent. */
export const versionTo = (page: string, action: string): string => versionAfter(page, `action="${action}"`);

function versionAfter(page: string, mark: string): string {
  const form = page.split(mark)[1]?.split('</form>')[0] ?? '';
  const [, version = ''] = /name="version" value="([^"]*)"/.exec(form) ?? [];
  if (version === '') throw new Error(`no version at ${mark}`);
  return version.replaceAll('&quot;', '"');
}

const HAIRCUT = { name: 'Haircut', duration_minutes: 60, price: 45.5 };

export async function addService(browser: Browser, fields: object = {}): Promise<number> {
  const { status, body } = await browser.json('POST', `${BUSINESS}/services/new`, { ...HAIRCUT, ...fields });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.data.id;
}

export async function addStaff(browser: Browser, fields: object = {}): Promise<number> {
  const body = { name: 'Anna', ...fields };
  const answer = await browser.json('POST', `${BUSINESS}/staff/new`, body);
  expect([answer.status, answer.body.errors]).toEqual([201, undefined]);
  return answer.body.data.id;
}

/** A business with one service and Anna, who performs it. */
export async function openSalon(world: BusinessWorld) {
  const { browser, tenantId } = await world.signedIn();
  const serviceId = await addService(browser);
  const anna = await addStaff(browser, { service_ids: [serviceId] });
  const path = `${STAFF}/${anna}`;
  return { browser, tenantId, serviceId, anna, path, slots: () => world.slotTimes(tenantId, serviceId) };
}
