import { STAFF_COLORS } from '@frontdesk/contracts';
import { type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

const DESIGN = '/settings/design';

it('there is no such page, unless the configuration says that this is for development', async () => {
  const { browser } = await world.signedIn();
  expect((await browser.html(DESIGN)).status).toBe(404);
});

it('in development it shows all parts, without a style of its own, and nothing leads to it', async () => {
  const on = await world.startSettings({ DESIGN_PAGE: 'true' });
  const { browser } = await world.signedIn({ on });
  const { status, page } = await browser.html(DESIGN);
  expect(status).toBe(200);
  expect(page).not.toMatch(/\sstyle=|<style/);
  for (const part of [
    'Colours',
    'Type',
    'Spacing',
    'Controls',
    'Fields',
    'States',
    'People',
    'Tiles',
    'Tables',
  ])
    expect(page).toContain(`-title">${part}</h2>`.replace('-title', `${part.toLowerCase()}-title`));
  for (const color of STAFF_COLORS)
    expect(page).toMatch(new RegExp(`class="plan-column"[^>]* data-color="${color}"`));
  for (const state of ['scheduled', 'completed', 'cancelled', 'no_show'])
    expect(page).toContain(`class="appointment ${state}"`);
  for (const other of ['/settings', '/settings/all'])
    expect((await browser.html(other)).page).not.toContain(DESIGN);
  expect((await world.browser(on).html(DESIGN)).status).toBe(303);
});
