import { eventually } from '../support/index.ts';
import { expectNoFaults } from './axe.ts';
import { useBrowserWorld, useReceiver } from './browser-world.ts';
import { addEndpoint, book } from './webhook-steps.ts';

const world = useBrowserWorld();
const receiver = useReceiver();

const eventIds = () => receiver.requests.map(({ rawBody }) => (JSON.parse(rawBody) as { id: string }).id);
/** The receiver asks for patience: what fails waits longer than any test. */
const notNow = () => ({ status: 503, headers: { 'retry-after': '3600' } });

it('a pause says what becomes of events, counts them as they come, and sends them when it ends', async () => {
  const business = await world.newBusiness('Salon Pause');
  const page = await world.signIn(await world.newPage({ width: 390 }), business.email);
  await addEndpoint(page, `${receiver.url}/hooks`);
  await page.getByRole('button', { name: 'Pause' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('While paused, events are not sent. You can send them when you resume.').waitFor();
  await dialog.getByRole('button', { name: 'Pause endpoint' }).click();
  await page.getByText('Paused since').waitFor();
  await page.getByText('No events have come in meanwhile.').waitFor();
  await book(business, 3);
  await page.getByText('3 events came in meanwhile.').waitFor();
  await expectNoFaults(page, 'paused');
  expect(receiver.requests).toEqual([]);

  await page.getByRole('button', { name: 'Resume and send 3 events' }).click();
  await page.getByText('The events that came in meanwhile are being sent').waitFor();
  await page.getByText('3 of 3: 3 queued, 0 left out').waitFor();
  await page.getByText('Deliveries are arriving.').waitFor();
  expect(new Set(eventIds()).size).toBe(3);
});

it('one line of health follows what happens, nothing beside it says otherwise, and a pending delivery is sent now', async () => {
  const business = await world.newBusiness('Salon Health');
  const page = await world.signIn(await world.newPage(), business.email);
  await addEndpoint(page, `${receiver.url}/hooks`);
  await page.getByRole('link', { name: 'Edit or replay' }).click();
  await page.getByText('Nothing has been sent to it yet.').waitFor();
  await book(business, 1);
  await page.getByText('Deliveries are arriving.').waitFor();
  const [first = ''] = eventIds();

  receiver.respondWith(notNow);
  const other = await world.newPage();
  await world.signIn(other, business.email);
  await book(business, 1, '+49 30 901821');
  await page.getByText(/Failing since .*: HTTP 503\. Next attempt/).waitFor();
  await page.getByText('Last 24 hours: 1 delivered, 0 failed · Now: 1 pending').waitFor();
  const said = (await page.getByRole('main').textContent()) ?? '';
  expect(said).not.toMatch(/Healthy|arriving|100\s?%|has failed/);
  await expectNoFaults(page, 'failing');

  // Found by the id of its event.
  const second = eventIds().find((id) => id !== first) ?? '';
  await other.getByLabel('Event or delivery ID').fill(second);
  await other.getByRole('button', { name: 'Filter' }).click();
  const log = other.getByRole('region', { name: 'Delivery log' });
  const row = log.getByRole('row', { name: /appointment\.created.*Pending/ });
  await row.waitFor();
  await eventually(async () => expect(await log.getByRole('row').count()).toBe(2));
  await other.getByText(/Failing since/).waitFor();
  await row.getByRole('link', { name: 'Details' }).click();
  receiver.respondWith(() => ({ status: 200 }));
  await other.getByRole('button', { name: 'Send now' }).click();
  await other.getByText('The delivery is being sent now.').waitFor();
  await page.getByText('Deliveries are arriving.').waitFor();
  await page.getByText('Last 24 hours: 2 delivered, 0 failed').waitFor();
  expect(eventIds().filter((id) => id === second)).toHaveLength(2);
});

it('the answer of a test event is in sight and has the focus, where it arrives and where it fails', async () => {
  const business = await world.newBusiness('Salon Test');
  const page = await world.signIn(await world.newPage({ width: 390 }), business.email);
  await addEndpoint(page, `${receiver.url}/hooks`);
  await book(business, 1);
  await page.getByRole('row', { name: /appointment\.created.*Delivered/ }).waitFor();
  const isInSight = () =>
    page.evaluate<boolean>(`(() => {
      const answer = document.getElementById('test-answer');
      const { top, bottom } = answer.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight && document.activeElement === answer;
    })()`);
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText('The test event arrived: HTTP 200').waitFor();
  await eventually(async () => expect(await isInSight()).toBe(true));
  receiver.respondWith(notNow);
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText(/The test event failed: HTTP 503.*It is tried again/).waitFor();
  await eventually(async () => expect(await isInSight()).toBe(true));
  await expectNoFaults(page, 'test');
});

it('an endpoint shows what is ticked and carries headers of its own, which its page replaces and removes', async () => {
  const business = await world.newBusiness('Salon Headers');
  const page = await world.signIn(await world.newPage({ width: 390 }), business.email);
  const headers = page.getByLabel('Custom headers');
  const scopes = page.getByRole('group', { name: 'Data in its events' });
  const transcripts = scopes.getByRole('checkbox', { name: 'See the transcript' });
  await eventually(async () => expect(await transcripts.isChecked()).toBe(true));
  await transcripts.uncheck();
  await scopes.getByRole('checkbox', { name: 'See appointments' }).uncheck();
  await headers.fill('Authorization: Bearer s3cret\nX-Team: front');
  await page.getByLabel('URL').fill(`${receiver.url}/hooks`);
  await page.getByRole('checkbox', { name: 'a new appointment is booked' }).check();
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  // Refused for another field, it keeps what was typed.
  await page.getByText('One of these events needs “See appointments and free times”').waitFor();
  expect(await headers.inputValue()).toBe('Authorization: Bearer s3cret\nX-Team: front');
  expect(await transcripts.isChecked()).toBe(false);
  await expectNoFaults(page, 'refused');
  await scopes.getByRole('checkbox', { name: 'See appointments' }).check();
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByText('Copy it now').waitFor();
  await book(business, 1);
  await eventually(async () => expect(receiver.requests).toHaveLength(1));
  expect(receiver.requests[0]?.headers).toMatchObject({ authorization: 'Bearer s3cret', 'x-team': 'front' });

  await page.getByRole('link', { name: 'Edit or replay' }).click();
  await page.getByText('Data in its events', { exact: true }).waitFor();
  expect(await page.getByText('See the transcript').count()).toBe(0);
  await headers.fill('X-Team: back');
  await page.getByRole('checkbox', { name: 'authorization' }).check();
  await expectNoFaults(page, 'custom headers');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Custom headers sent with each delivery: x-team.').waitFor();
  expect(await headers.inputValue()).toBe('');
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText('The test event arrived: HTTP 200').waitFor();
  const sent = receiver.requests.at(-1)?.headers;
  expect(sent).toMatchObject({ 'x-team': 'back' });
  expect(sent).not.toHaveProperty('authorization');
});
