import { startReceiver } from '../../../support/index.ts';
import { genericMessage } from '../../calls/signed-messages.ts';
import { addSource, CALLS, startCallsSettings } from '../calls-settings-world.ts';
import { adminWithEndpoint, deliver } from '../hooks-of.ts';
import { liveMarkups, until, withoutAge } from '../live-markups.ts';

/** Calls don't read messages here until the test says so. */
let world: Awaited<ReturnType<typeof startCallsSettings>>;
beforeAll(async () => {
  world = await startCallsSettings({ workers: [] }, { hasEvents: true });
});
beforeEach(withoutAge);
afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

const DELIVERIES = '/settings/api/deliveries';

it('a delivery’s page follows its attempts', async () => {
  const receiver = await startReceiver();
  const { browser, tenantId } = await adminWithEndpoint(world, receiver);
  const [{ id } = { id: 0 }] = await deliver(world, browser, tenantId, 1);
  const stream = await liveMarkups(world.settings, browser, `${DELIVERIES}/${id}/live`);
  await until(stream, /id="attempt-1"/);
  expect((await browser.html(`${DELIVERIES}/${id}`)).page).toContain(`data-live="${DELIVERIES}/${id}/live"`);

  const answer = Promise.withResolvers<{ status: number }>();
  receiver.respondWith(() => answer.promise);
  await browser.json('POST', `${DELIVERIES}/${id}/resend`, {});
  await until(stream, /Pending/);
  answer.resolve({ status: 200 });
  await until(stream, /Delivered[\s\S]*id="attempt-2"/);
  await stream.return(undefined);
  await receiver.close();
});

it('a source’s page follows what comes in, and a message’s what it leads to', async () => {
  const { browser, tenantId } = await world.newBusiness();
  const source = await addSource(browser);
  const ofSource = await liveMarkups(world.settings, browser, `${source.href}/live`);
  await until(ofSource, /No messages yet/);
  await world.calls.ingest(source, genericMessage('{"provider_call_id": 1}', source));
  await until(ofSource, /Last message[\s\S]*<tr id="message-\d+">[\s\S]*Pending/);
  const [{ id }] = await world.calls.messages(tenantId);

  const ofMessage = await liveMarkups(world.settings, browser, `${CALLS}/messages/${id}/live`);
  await until(ofMessage, /Pending/);
  const reader = await world.calls.startAnother(['message reader']);
  await until(ofMessage, /Unreadable/);
  await until(ofSource, /Unreadable/);
  await Promise.all([ofSource, ofMessage].map((stream) => stream.return(undefined)));
  await reader.stop();
});

it('a stream says, while nothing changes, that its page is up to date', async () => {
  const { browser } = await world.newBusiness();
  const source = await addSource(browser);
  const headers = { cookie: `frontdesk=${browser.jar.get('frontdesk')}` };
  const gone = new AbortController();
  const { api } = world.settings;
  const answer = await fetch(`${api.listeningOrigin}${source.href}/live`, { headers, signal: gone.signal });
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (text.split('event: beat\ndata: 1\n\n').length > 2) break;
  }
  gone.abort();
  expect(text.match(/^data: "/gm)).toHaveLength(1);
});

it('204: a delivery, an endpoint, a source or a message that there is not, or of another business', async () => {
  const owner = await world.newBusiness();
  const source = await addSource(owner.browser);
  const { browser } = await world.newBusiness();
  const unknown = [
    `${CALLS}/messages/99999/live`,
    `${DELIVERIES}/99999/live`,
    '/settings/api/webhooks/99999/live',
  ];
  for (const path of [`${source.href}/live`, ...unknown])
    expect([path, (await browser.html(path)).status]).toEqual([path, 204]);
});
