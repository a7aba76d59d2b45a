import type { Page } from 'playwright-core';
import { eventually } from '../support/index.ts';
import { expectNoFaults } from './axe.ts';
import { PASSWORD, useBrowserWorld, useReceiver } from './browser-world.ts';
import { addEndpoint, book } from './webhook-steps.ts';

const world = useBrowserWorld();
const receiver = useReceiver();

const signedIn = async (email: string) => world.signIn(await world.newPage(), email);

const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click();

it('what failed is sent again to its end, and the progress stays through a reload', async () => {
  const business = await world.newBusiness('Salon Replay');
  const page = await signedIn(business.email);
  await addEndpoint(page, `${receiver.url}/hooks`);
  // Gone for good: a delivery fails at once, and the endpoint is disabled.
  receiver.respondWith(() => ({ status: 410 }));
  await book(business, 1);
  await page.getByRole('row', { name: /appointment\.created.*Failed/ }).waitFor();
  receiver.respondWith(() => ({ status: 200 }));
  await page.reload();
  await page.getByText('Disabled, because it answered that it is gone for good').waitFor();
  await page.getByRole('link', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByText('The endpoint is active again.').waitFor();
  await page.getByRole('button', { name: 'Resend all failed (1)' }).click();
  await page.getByRole('dialog').getByText('About 1 delivery').waitFor();
  receiver.requests.length = 0;
  await confirm(page, 'Resend all');
  await page.getByText('The replay has started.').waitFor();
  await page.getByText('1 of 1: 1 queued, 0 left out').waitFor();
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  await page.reload();
  await page.getByRole('heading', { name: 'All failed deliveries' }).waitFor();
  expect(await page.getByRole('progressbar').getAttribute('value')).toBe('1');
});

it('a window is replayed, with what was delivered; a wrong one is refused beside its fields', async () => {
  const business = await world.newBusiness('Salon Window');
  const page = await signedIn(business.email);
  await addEndpoint(page, `${receiver.url}/hooks`);
  await book(business, 2);
  await page
    .getByRole('row', { name: /appointment\.created.*Delivered/ })
    .nth(1)
    .waitFor();
  await page.getByRole('link', { name: 'Edit or replay' }).click();
  await page.getByText('no delivery has used up its attempts').waitFor();
  const wall = (minutes: number) =>
    Temporal.Now.zonedDateTimeISO(business.tenant.timezone)
      .add({ minutes })
      .toPlainDateTime()
      .toString({ smallestUnit: 'minute' });
  await page.getByLabel('From').fill(wall(60));
  await page.getByLabel('To', { exact: true }).fill(wall(-60));
  await page.getByLabel('Include what was already delivered').check();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('The end must be after the start.').waitFor();
  expect(await page.getByLabel('Include what was already delivered').isChecked()).toBe(true);
  await page.getByLabel('From').fill(wall(-60));
  await page.getByLabel('To', { exact: true }).fill(wall(60));
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('2 of 2: 2 queued, 0 left out').waitFor();
  await eventually(() => expect(receiver.requests).toHaveLength(4));
});

it('an endpoint is edited', async () => {
  const { email } = await world.newBusiness('Salon Edit');
  const page = await signedIn(email);
  await addEndpoint(page, `${receiver.url}/old`);
  await page.getByRole('link', { name: 'Edit or replay' }).click();
  await page.getByRole('textbox', { name: 'URL' }).fill('ftp://typed.example');
  await page.getByRole('checkbox', { name: 'a call is missed' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enter a complete URL that begins with').waitFor();
  expect(await page.getByRole('checkbox', { name: 'a call is missed' }).isChecked()).toBe(true);
  await page.getByRole('textbox', { name: 'URL' }).fill(`${receiver.url}/new`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Endpoint saved.').waitFor();
  await page.getByRole('heading', { name: `${receiver.url}/new` }).waitFor();
});

it('somebody is invited, joins in a browser of their own, and is removed again', async () => {
  const { email } = await world.newBusiness('Salon People');
  const guest = `guest-of-${email}`;
  const page = await signedIn(email);
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByLabel('Email address').fill(guest);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByText('Invitation sent.').waitFor();
  expect(await page.content()).not.toContain('token=');
  const link = await world.linkSentTo(guest);

  const theirs = await world.newPage();
  await theirs.goto(link);
  await theirs.getByRole('heading', { name: 'Join Salon People' }).waitFor();
  await theirs.getByLabel('New password').fill(PASSWORD);
  await theirs.getByRole('button', { name: 'Accept invitation' }).click();
  await theirs.getByText('You have access now.').waitFor();
  await world.signIn(theirs, guest, { to: '/settings', heading: 'Today' });

  await page.reload();
  await page.getByRole('button', { name: `Remove ${guest}` }).click();
  await confirm(page, 'Remove');
  await page.getByText('Removed, and signed out').waitFor();
  await theirs.goto('/settings');
  await theirs.getByRole('heading', { name: 'Sign in' }).waitFor();
});

it('axe finds nothing on the pages about the API and the people in any look, and none has to be scrolled sideways', async () => {
  const business = await world.newBusiness('Salon without faults');
  const page = await signedIn(business.email);
  await addEndpoint(page, `${receiver.url}/a/rather/long/address/${'x'.repeat(60)}`);
  await book(business, 1);
  await page.getByRole('row', { name: /appointment\.created.*Delivered/ }).waitFor();
  await expectNoFaults(page, 'api');
  await page.goto('/settings/api?from=2026-03-02&to=2026-03-01&page=7');
  await expectNoFaults(page, 'log-nothing');
  await page.goto('/settings/api');
  await page.getByRole('link', { name: 'Edit or replay' }).click();
  await expectNoFaults(page, 'endpoint');
  await page.getByLabel('From').fill('2026-03-02T09:00');
  await page.getByLabel('To', { exact: true }).fill('2026-03-01T09:00');
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('The end must be after the start.').waitFor();
  await expectNoFaults(page, 'endpoint-refused');
  const now = Temporal.Now.plainDateISO(business.tenant.timezone);
  await page.getByLabel('From').fill(`${now.subtract({ days: 1 })}T00:00`);
  await page.getByLabel('To', { exact: true }).fill(`${now.add({ days: 1 })}T00:00`);
  await page.getByLabel('Include what was already delivered').check();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('1 of 1: 1 queued').waitFor();
  await expectNoFaults(page, 'endpoint-replayed');
  await page.goto('/settings/api');
  await page.getByRole('link', { name: 'Details' }).first().click();
  await page.getByText('Attempt 1 ·').click();
  await expectNoFaults(page, 'delivery');
  await page.goto('/settings/api/docs');
  await expectNoFaults(page, 'docs');
  await page.goto('/settings/api/docs/operations/create-appointment');
  await expectNoFaults(page, 'docs-operation');
  await page.goto('/settings/people');
  const guest = `guest-of-${business.email}`;
  await page.getByLabel('Email address').fill(guest);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByText('Invitation sent.').waitFor();
  const link = await world.linkSentTo(guest);
  await expectNoFaults(page, 'people');
  await page.context().clearCookies();
  await page.goto(link);
  await expectNoFaults(page, 'invitation');
  await page.goto('/settings/invitation?token=x');
  await expectNoFaults(page, 'invitation-void');
});
