import { genericMessage } from '../calls/signed-messages.ts';
import { addSource, CALLS, startCallsSettings } from './calls-settings-world.ts';

let world: Awaited<ReturnType<typeof startCallsSettings>>;
beforeAll(async () => {
  world = await startCallsSettings();
});
afterAll(() => world.stop());

it('messages that can’t be read are shown with their reason, looked at, read again and deleted', async () => {
  const { browser, tenantId } = await world.newBusiness();
  const source = await addSource(browser);
  const { href } = source;
  await world.calls.ingest(source, genericMessage('{"provider_call_id": "<b>1"}', source));
  const [{ id, reason }] = await world.calls.settled(tenantId);
  const list = (await browser.html(CALLS)).page;
  expect(list).toContain('Unreadable messages');
  expect(list).toContain('1 unreadable');
  expect(list).toContain(reason.replace("'", '&#39;'));
  expect((await browser.html(href)).page).toContain(`/settings/calls/messages/${id}`);
  const message = `${CALLS}/messages/${id}`;
  const { page } = await browser.html(message);
  expect(page).toContain('&quot;provider_call_id&quot;: &quot;&lt;b&gt;1&quot;');
  expect(page).toContain(`${href}#messages`);
  const again = await browser.form(`${message}/replay`, {});
  expect(again.headers.location).toBe(`${message}?done=message-replayed`);
  await world.calls.settled(tenantId);
  expect((await browser.form(`${message}/delete`, {})).status).toBe(303);
  expect((await browser.html(message)).status).toBe(404);
  expect((await browser.html(CALLS)).page).not.toContain('Unreadable messages');
});

it('what hides in a message is spelled out, and a long one is shown as far as a page stays small', async () => {
  const { browser, tenantId } = await world.newBusiness();
  const source = await addSource(browser);
  const text = `turned \u202e around, then ${'long '.repeat(20_000)}the end`;
  await world.calls.ingest(source, genericMessage(JSON.stringify({ provider_call_id: 1, text }), source));
  const [{ id }] = await world.calls.settled(tenantId);
  const { page } = await browser.html(`${CALLS}/messages/${id}`);
  expect(page).toContain('turned \\u{202e} around');
  expect(page).not.toContain('\u202e');
  expect(page).not.toContain('the end');
  expect(page).toMatch(/Only the beginning is shown\. All 100,\d{3} bytes are kept/);
  expect(page.length).toBeLessThan(50_000);
  const whole = (await browser.json('GET', `${CALLS}/messages/${id}`)).body.data;
  expect(JSON.parse(whole.body).text).toBe(text);
});
