import { createPages } from '@frontdesk/reference';
import type { Page } from 'playwright-core';
import { faultsOf, type View } from './axe.ts';
import { useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();
const PATHS = createPages().map(({ path }) => (path === 'index' ? '' : `/${path}`));
/** Long names overflow on a phone first. Other tests look at one page of each kind at every width. */
const PHONE = 390;
const VIEWS: View[] = [{ width: PHONE, schemes: ['light', 'dark'] }];

async function faultsBelow(page: Page, base: string): Promise<string[]> {
  const faults: string[] = [];
  for (const path of PATHS) {
    const answer = await page.goto(`${base}${path}`);
    if (answer?.status() !== 200) faults.push(`${path}: ${answer?.status()}`);
    for (const fault of await faultsOf(page, VIEWS)) faults.push(`${path}: ${fault}`);
  }
  return faults;
}

it('every page of the reference can be read by everybody, for the public and in the settings', async () => {
  const { email } = await world.newBusiness('Salon Reference');
  const [open, own] = [
    await world.newPage({ width: PHONE }),
    await world.signIn(await world.newPage({ width: PHONE }), email),
  ];
  const [inPublic, inSettings] = await Promise.all([
    faultsBelow(open, `${world.target.gatewayUrl}/docs`),
    faultsBelow(own, '/settings/api/docs'),
  ]);
  expect({ inPublic, inSettings }).toEqual({ inPublic: [], inSettings: [] });
});
