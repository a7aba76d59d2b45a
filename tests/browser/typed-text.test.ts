import { useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

const BUSINESS = '/settings/business';

/** An admin's page and a colleague's, on the same staff member. */
async function twoAdmins(name: string) {
  const business = await world.newBusiness(name);
  const path = `${BUSINESS}/staff/${business.staffIds[0]}`;
  const [mine, theirs] = [
    await world.signIn(await world.newPage(), business.email),
    await world.signIn(await world.newPage(), business.email),
  ];
  for (const page of [mine, theirs]) await page.goto(path);
  const save = { name: 'Save details' };
  return { business, path, mine, theirs, save };
}

it('a change of one’s own takes other typed forms along; they do not overwrite a colleague’s earlier change', async () => {
  const { mine, theirs, save } = await twoAdmins('Salon Versions');
  await mine.getByLabel('Name', { exact: true }).fill('Mine');
  await theirs.getByLabel('Name', { exact: true }).fill('Theirs');
  await theirs.getByRole('button', save).click();
  await theirs.getByText('Details saved.').waitFor();

  // The page's other forms learn of the colleague's version by a clash, and are sent again by that.
  await mine.locator('summary', { hasText: 'Add time off' }).click();
  await mine.getByLabel('First day', { exact: true }).fill('2031-06-02');
  await mine.getByRole('button', { name: 'Add time off' }).click();
  await mine.getByText('Someone else has changed this in the meantime').waitFor();
  await mine.getByRole('button', { name: 'Add time off' }).click();
  await mine.getByText('Time off added.').waitFor();
  expect(await mine.getByLabel('Name', { exact: true }).inputValue()).toBe('Mine');
  await mine.getByRole('button', save).click();
  await mine.getByText('Someone else has changed this in the meantime').waitFor();
  await mine.getByRole('heading', { name: 'Theirs' }).waitFor();
});

it('the booking rules and the profile are different records, though their versions may look the same', async () => {
  const business = await world.newBusiness('Salon Records');
  const page = await world.signIn(await world.newPage(), business.email);
  await page.goto(BUSINESS);
  const version = (form: string) => page.locator(`#${form} [name=version]`).inputValue();
  await page.getByLabel('Days bookable ahead').fill('77');
  // As if both stood at one number.
  const own = await version('profile-form');
  await page.locator('#booking-form [name=version]').evaluate((field, value) => {
    (field as unknown as { value: string }).value = value;
  }, own);
  await page.getByLabel('Name of the business').fill('Salon Renamed');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('Profile saved.').waitFor();
  expect(await version('profile-form')).not.toBe(own);
  expect(await version('booking-form')).toBe(own);
  expect(await page.getByLabel('Days bookable ahead').inputValue()).toBe('77');
});

it('a session that is over, or a page that has no place for it, leaves what was typed', async () => {
  const { mine, business, save } = await twoAdmins('Salon Sessions');
  const name = mine.getByLabel('Name', { exact: true });
  await name.fill('Typed');
  await mine.route('**/settings/business/staff/*', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'text/html; charset=utf-8',
      body: '<title>Away</title><main><div class="card"><p>Not available right now.</p></div></main>',
    }),
  );
  await mine.getByRole('button', save).click();
  await mine.getByRole('alert').getByText('Not available right now.').waitFor();
  expect(await name.inputValue()).toBe('Typed');
  await mine.unrouteAll();

  await mine.context().clearCookies();
  await mine.getByRole('button', save).click();
  const [tab] = await Promise.all([
    mine.context().waitForEvent('page'),
    mine.getByRole('link', { name: 'Sign in in a new tab' }).click(),
  ]);
  expect(await name.inputValue()).toBe('Typed');
  await world.signIn(tab, business.email);
  await mine.getByRole('button', save).click();
  await mine.getByText('This form has expired.').waitFor();
  expect(await name.inputValue()).toBe('Typed');
  await mine.getByRole('button', save).click();
  await mine.getByRole('heading', { name: 'Typed' }).waitFor();
});
