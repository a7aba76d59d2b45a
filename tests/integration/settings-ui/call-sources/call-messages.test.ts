import { genericMessage } from '../../calls/signed-messages.ts';
import { addSource, CALLS, SOURCES, startCallsSettings } from '../calls-settings-world.ts';
import { tokenIn } from '../form-fields.ts';

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
  const list = (await browser.html(SOURCES)).page;
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
  expect((await browser.html(SOURCES)).page).not.toContain('Unreadable messages');
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
  expect(page).toMatch(/Only the beginning is shown\. All 100\.\d{3} bytes are kept/);
  expect(page.length).toBeLessThan(50_000);
  const whole = (await browser.json('GET', `${CALLS}/messages/${id}`)).body.data;
  expect(JSON.parse(whole.body).text).toBe(text);
});

it('lists far within one another are shown as far as a page stays small, and hold nothing up', async () => {
  const { browser, tenantId } = await world.newBusiness();
  const source = await addSource(browser);
  // With an indent it would have a gigabyte.
  const deep = `${'['.repeat(2_000)}${'1,'.repeat(250_000)}1${']'.repeat(2_000)}`;
  await world.calls.ingest(source, genericMessage(deep, source));
  const [{ id }] = await world.calls.settled(tenantId);
  const { page } = await browser.html(`${CALLS}/messages/${id}`);
  expect(page).toContain('[\n  [\n    [\n');
  expect(page).toContain('Only the beginning is shown.');
  expect(page.length).toBeLessThan(50_000);
});

describe('a test call', () => {
  it('shows what would come of it, and leaves nothing behind, not even in the audit log', async () => {
    const { browser, tenantId } = await world.newBusiness();
    const { href } = await addSource(browser, { settings: { creates_leads: true } });
    const { status, page } = await browser.form(`${href}/test`, { from_number: '+49 30 901820' });
    expect(status).toBe(200);
    expect(page).toContain('This is how the call would look.');
    expect(page).toContain('a real call would create a lead.');
    expect(page).toContain('Positive, from the customer’s words');
    expect(await world.calls.messages(tenantId)).toEqual([]);
    expect((await browser.html('/settings/audit')).page).not.toContain('test call');
  });

  it('is real where that is chosen, and then written down', async () => {
    const { browser, tenantId } = await world.newBusiness();
    const { href } = await addSource(browser);
    const { page } = await browser.form(`${href}/test`, { from_number: '', is_real: 'true' });
    expect(page).toContain('The call was accepted as');
    const [message] = await world.calls.settled(tenantId);
    expect(message).toMatchObject({ status: 'applied' });
    const shown = (await browser.html(href)).page;
    expect(shown).toContain(`Call ${message.call_id}`);
    expect(shown).toContain('<span class="badge off">Test</span>');
    expect(shown).toContain('The test worked. No real call has come in yet.');
    expect((await browser.html(SOURCES)).page).toContain('No real call has come in yet; last test');
    expect((await browser.html('/settings/audit')).page).toContain('Made a real test call');
  });

  it('422: says beside the field what is wrong, and keeps it', async () => {
    const { browser, tenantId } = await world.newBusiness();
    const { href } = await addSource(browser, { settings: { creates_leads: true } });
    const { status, page } = await browser.form(`${href}/test`, { from_number: 'nobody', is_real: 'true' });
    expect([status, page.includes('id="from_number-error"')]).toEqual([422, true]);
    expect(page).toContain('value="nobody"');
    expect(page).toContain('value="Main line"');
    expect(await world.calls.messages(tenantId)).toEqual([]);
  });

  it('that is kept is made once, however often its form is sent', async () => {
    const { browser, tenantId } = await world.newBusiness();
    const { href } = await addSource(browser);
    const action = `${href}/test`;
    const form = { from_number: '', is_real: 'true', form_token: await tokenIn(browser, href, action) };
    const answers = await Promise.all([browser.form(action, form), browser.form(action, form)]);
    const [first, again] = answers.toSorted((a, b) => a.status - b.status);
    expect([first?.status, again?.status]).toEqual([200, 303]);
    expect(again?.headers.location).toBe(`${href}?done=already-tested`);
    expect((await browser.html(again?.headers.location ?? '')).page).toContain('Already made.');
    expect(await world.calls.messages(tenantId)).toHaveLength(1);
  });
});
