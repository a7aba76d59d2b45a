import type { Page } from 'playwright-core';
import { faultsOf } from './axe.ts';
import { useBrowserWorld } from './browser-world.ts';
import { createKey } from './key-steps.ts';

const world = useBrowserWorld();

const BUSINESS = '/settings/business';

const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
const nameOf = (page: Page) => page.getByLabel('Name', { exact: true });

it('a price is typed as people write it, and shown back', async () => {
  const { email, serviceId } = await world.newBusiness('Salon Prices');
  const page = await world.signIn(await world.newPage(), email);
  await page.goto(`${BUSINESS}/services/${serviceId}`);
  const price = page.getByLabel('Price (EUR)');
  await price.clear();
  await price.pressSequentially('29,505,1');
  await press(page, 'Save service');
  await page.getByText('Enter an amount such as 29,50.').waitFor();
  expect(await price.inputValue()).toBe('29,505,1');
  await price.clear();
  await price.pressSequentially('29,50');
  await press(page, 'Save service');
  await page.getByText('Saved. Haircut costs 29,50 €.').waitFor();
  await page.goto(`${BUSINESS}/services/${serviceId}`);
  expect(await price.inputValue()).toBe('29,50');
});

it('of two who change the same record nobody’s change is lost: what both changed is chosen', async () => {
  const { email, staffIds } = await world.newBusiness('Salon Two');
  const path = `${BUSINESS}/staff/${staffIds[0]}`;
  const [mine, theirs] = [
    await world.signIn(await world.newPage(), email),
    await world.signIn(await world.newPage(), email),
  ];
  for (const page of [mine, theirs]) await page.goto(path);
  await nameOf(theirs).fill('Theirs');
  await theirs.getByLabel('Specialties').fill('Perms');
  await press(theirs, 'Save details');
  await theirs.getByText('Details saved.').waitFor();

  await nameOf(mine).fill('Mine');
  await press(mine, 'Save details');
  await mine.getByText('Someone else has changed this in the meantime').waitFor();
  expect(await mine.getByLabel('Specialties').inputValue()).toBe('Perms');
  expect(await faultsOf(mine)).toEqual([]);
  // Nothing is chosen for them.
  await press(mine, 'Save details');
  const names = mine.locator('input[type=radio][name=name]');
  expect([await names.count(), await names.and(mine.locator(':checked')).count()]).toEqual([2, 0]);
  await mine.getByRole('radio', { name: 'Yours: Mine' }).check();
  await press(mine, 'Save details');
  await mine.getByRole('heading', { name: 'Mine' }).waitFor();
  await mine.getByText('Perms').first().waitFor();
});

it('a page asks before it is left with something unsaved, and not otherwise', async () => {
  const { email, staffIds } = await world.newBusiness('Salon Leaving');
  const page = await world.signIn(await world.newPage(), email);
  await page.goto(`${BUSINESS}/staff/${staffIds[0]}`);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  const leave = async () => {
    await page.getByRole('button', { name: 'Your menu' }).click();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    await page.goBack();
    await nameOf(page).waitFor();
  };
  await nameOf(page).fill('Typed');
  await nameOf(page).fill('Ada');
  await leave();
  expect(asked).toEqual([]);
  await nameOf(page).fill('Typed');
  await leave();
  expect(asked).toEqual(['beforeunload']);
  await nameOf(page).fill('Saved');
  await press(page, 'Save details');
  await page.getByRole('heading', { name: 'Saved' }).waitFor();
  await leave();
  // What was refused is typed and unsaved still.
  await nameOf(page).fill('');
  await page.locator('#staff-form').evaluate((form) => form.setAttribute('novalidate', ''));
  await press(page, 'Save details');
  await page.getByText('This field is required.').waitFor();
  await leave();
  expect(asked).toEqual(['beforeunload', 'beforeunload']);
});

it('the answer to another form leaves what is typed in any form of the page', async () => {
  const { email } = await world.newBusiness('Salon Forms');
  const page = await world.signIn(await world.newPage(), email);
  await page.getByLabel('URL').fill('https://example.com/typed');
  await page.getByRole('checkbox', { name: 'a call is missed' }).check();
  await createKey(page, 'Website');
  await page.getByText('is ready.').waitFor();
  expect(await page.getByLabel('URL').inputValue()).toBe('https://example.com/typed');
  expect(await page.getByRole('checkbox', { name: 'a call is missed' }).isChecked()).toBe(true);
  expect(await page.getByLabel('Name of a new key').inputValue()).toBe('');
});

it('without scripts, a reload after a key was made makes no second one; nor with them', async () => {
  const { email } = await world.newBusiness('Salon Reload');
  for (const hasScripts of [false, true]) {
    const name = hasScripts ? 'Scripted' : 'Plain';
    const page = await world.signIn(await world.newPage({ width: 1280, hasScripts }), email);
    await createKey(page, name);
    await page.getByText('Copy it now').waitFor();
    await page.reload();
    if (!hasScripts) await page.getByText('Already sent.').waitFor();
    await page.getByRole('row', { name }).waitFor();
    expect(await page.getByRole('row', { name }).count()).toBe(1);
    expect(await page.getByText('Copy it now').count()).toBe(0);
  }
});
