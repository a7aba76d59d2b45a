import { expectNoFaults } from './axe.ts';
import { PASSWORD, useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

it.each([
  ['with scripts', true],
  ['without', false],
] as const)(
  'a person joins a second business by mail, chooses at the sign-in, and switches: %s',
  async (_how, hasScripts) => {
    const [north, south] = [await world.newBusiness('Salon North'), await world.newBusiness('Salon South')];
    const owner = await world.signIn(await world.newPage({ width: 1280, hasScripts }), south.email);
    await owner.goto('/settings/people');
    await owner.getByLabel('Email address').fill(north.email);
    await owner.getByRole('radio', { name: /^Owner/ }).check();
    await owner.getByRole('button', { name: 'Send invitation' }).click();
    await owner.getByText('Invitation sent.').waitFor();

    // The account is there already: it joins with its own password, and chooses none.
    const page = await world.newPage({ width: 1280, hasScripts });
    await page.goto(await world.linkSentTo(north.email));
    await page.getByRole('link', { name: /sign in/i }).click();
    await page.getByLabel('Email').fill(north.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByRole('banner').getByText('Salon South').waitFor();

    await page.getByRole('button', { name: 'Your menu' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByLabel('Email').fill(north.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Choose a business' }).waitFor();
    if (hasScripts) await expectNoFaults(page, 'the choice at the sign-in');
    await page.getByRole('button', { name: 'Salon North' }).click();
    await page.getByRole('banner').getByText('Salon North').waitFor();

    await page.getByRole('button', { name: 'Your menu' }).click();
    await page.getByRole('link', { name: 'Switch business' }).click();
    await page.getByRole('button', { name: 'Salon South' }).click();
    await page.getByRole('banner').getByText('Salon South').waitFor();
    await page.goto('/settings/people');
    await page.getByRole('rowheader', { name: south.email }).waitFor();
    expect(await page.getByRole('rowheader', { name: north.email }).count()).toBe(1);
  },
);
