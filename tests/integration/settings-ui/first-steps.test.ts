import { operator } from '../gateway/gateway-world.ts';
import { startCalendarWorld } from './calendar-world.ts';
import type { Browser } from './inject-browser.ts';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
beforeAll(async () => {
  world = await startCalendarWorld();
});
afterAll(() => world.stop());

const overview = async (browser: Browser) => {
  const { page } = await browser.html('/settings');
  const { data } = (await browser.json('GET', '/settings')).body;
  return { page, ...data };
};
const doneOf = (steps: { step: string; done: boolean }[] | null) =>
  steps?.filter(({ done }) => done).map(({ step }) => step);

it('a business sees what is left to do until its first appointment', async () => {
  const salon = await world.newSalon();
  const before = await overview(salon.browser);
  // Its call sources can't be counted: calls is away.
  expect(before.first_steps.map(({ step }: { step: string }) => step)).toEqual([
    ...['opening_hours', 'service', 'staff', 'appointment', 'colleague', 'program'],
  ]);
  expect(doneOf(before.first_steps)).toEqual(['opening_hours', 'service', 'staff']);
  expect(before.page).toContain('href="/settings/calendar/book"');
  expect(before.page.match(/<li class="is-done">/g)).toHaveLength(3);

  await salon.booked();
  const after = await overview(salon.browser);
  expect(after.first_steps).toBeNull();
  expect(after.page).not.toContain('First steps');
});

it('one without services has that among its steps, and is not told twice', async () => {
  const { tenantId, browser } = await world.newSalon({ services: [], staff: [] });
  await world.newAdmin(tenantId);
  const { page, first_steps } = await overview(browser);
  expect(doneOf(first_steps)).toEqual(['colleague']);
  expect(page).toContain('Add a service');
  expect(page).not.toContain('Nothing can be booked yet');
});

it('a quota near its end is among what needs somebody today', async () => {
  const { tenantId, browser } = await world.newSalon();
  await world.gatewayWorld.internal(world.gateway, operator, 'PATCH', `/internal/tenants/${tenantId}`, {
    plan: 'starter',
  });
  expect((await overview(browser)).quotas).toEqual([]);
  for (let admins = 1; admins < 4; admins += 1) await world.newAdmin(tenantId);
  const { page, quotas } = await overview(browser);
  expect(quotas).toEqual([{ name: 'admins', used: 4, allowed: 5 }]);
  expect(page).toMatch(/href="\/settings\/people"><span class="count waiting">80\u00A0%<\/span>/);
});
