import { CALL_PROVIDERS } from '@frontdesk/contracts';
import { eventually } from '../../../support/index.ts';
import { genericCall } from '../../calls/sample-calls.ts';
import { genericMessage, PROVIDER_SECRETS } from '../../calls/signed-messages.ts';
import { addSource, CALLS, SOURCES, startCallsSettings } from '../calls-settings-world.ts';
import { liveMarkups, until } from '../live-markups.ts';
import { NOBODY } from '../settings-world.ts';

let world: Awaited<ReturnType<typeof startCallsSettings>>;
beforeAll(async () => {
  world = await startCallsSettings();
});
afterAll(() => world.stop());

const SECRET = /whsec_[0-9A-Za-z+/]{43}=/;

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('refused messages', () => {
  it('are no “No messages yet”: the reason is said, what to do, and when it is mended', async () => {
    const { browser } = await world.newBusiness();
    const source = await addSource(browser);
    const other = await addSource(browser, { name: 'Second line' });
    const live = await liveMarkups(world.settings, browser, `${source.href}/live`);
    expect((await live.next()).value).toContain('No messages yet.');
    const forged = () => genericMessage(genericCall(), { ...source, secret: OTHER_SECRET });
    for (const message of [forged(), forged(), genericMessage(genericCall(), { ...source, at: new Date(0) })])
      expect((await world.calls.ingest(source, message)).status).toBe(401);

    const shown = await until(live, /^(?=[\s\S]*refused-signature_expired)(?=[\s\S]*<div>2<span)/);
    expect(shown).toContain('All messages that came in were refused.');
    expect(shown).toContain(
      `The signature did not match: check that the secret at the provider is the one shown here, which ends in ${source.secret.slice(-4)}.`,
    );
    expect(shown).toMatch(/<tr id="refused-signature_wrong">[\s\S]*<div>2<span class="hint">since /);
    expect(shown).toContain('signed more than five minutes before or after it came');
    expect(shown).not.toContain('No messages yet');
    await live.return(undefined);
    const { page } = await browser.html(source.href);
    expect(page).toContain('The signature did not match');
    expect((await browser.html(other.href)).page).not.toContain('Refused messages');
    const list = async () => (await browser.html(SOURCES)).page;
    const [ofOther = '', ofSource = ''] =
      (await list()).split('<ul class="endpoints">')[1]?.split('</li>') ?? [];
    expect(ofSource).toContain('<span class="badge bad">Messages refused</span>');
    expect(ofSource).toContain('No message has been taken yet');
    expect(ofSource).toMatch(/Last refused [\s\S]*The (signature did not match|message was signed)/);
    expect(ofOther).toContain('No messages yet');
    expect(ofOther).not.toContain('refused');
    expect((await browser.json('GET', source.href)).body.data.refused).toEqual(
      expect.arrayContaining([expect.objectContaining({ reason: 'signature_wrong', messages: 2 })]),
    );

    expect((await world.calls.ingest(source, genericMessage(genericCall(), source))).status).toBe(202);
    expect(await list()).not.toContain('Messages refused');
    const mended = (await browser.html(source.href)).page;
    expect(mended).toContain('A message was taken since, so this seems to be mended.');
    expect(mended).not.toContain('were refused. Their calls');
    const { browser: stranger } = await world.newBusiness();
    expect((await stranger.html(SOURCES)).page).not.toContain('refused');
  });

  it.each([
    ['vapi', 'The signature is missing: turn signing on at Vapi'],
    ['retell', 'The signature is missing: turn signing on at Retell'],
    ['twilio', 'The signature is missing: turn signing on at Twilio'],
  ] as const)('of %s are told in its own words', async (provider, words) => {
    const { browser } = await world.newBusiness();
    const source = await addSource(browser, { provider, secret: PROVIDER_SECRETS[provider] });
    await world.calls.ingest(source, { body: '{}', headers: { 'content-type': 'application/json' } });
    await eventually(async () => expect((await browser.html(source.href)).page).toContain(words));
  });
});

describe('sources', () => {
  it('begin with what to do; one is added, and its secret shown this once', async () => {
    const { browser } = await world.newBusiness();
    expect((await browser.html(SOURCES)).page).toContain('No sources yet. Add one below');
    const made = await browser.form(SOURCES, {
      provider: 'generic',
      name: 'Main line',
      secret: '',
    });
    expect(made.status).toBe(201);
    expect(made.page).toContain('The secret for “Main line”.');
    const [secret = ''] = SECRET.exec(made.page) ?? [];
    expect(secret).not.toBe('');
    const list = await browser.html(SOURCES);
    expect(list.page).toMatch(/https:\/\/desk\.example\.com\/ingest\/calls\/[0-9A-Za-z]{40}/);
    expect(list.page).toContain('No messages yet');
    const [, href = ''] = /<a href="(\/settings\/calls\/sources\/\d+)">Main line/.exec(list.page) ?? [];
    const shown = await browser.html(href);
    expect(shown.page).toContain(`…${secret.slice(-4)}`);
    expect(list.page + shown.page).not.toContain(secret);
    expect((await browser.html('/settings/audit')).page).toMatch(/Added a call source.*\n?.*Main line/);
  });

  it('422: a provider that sets the secret itself needs it; what was typed stays, the secret excepted', async () => {
    const { browser } = await world.newBusiness();
    const typed = { provider: 'retell', name: 'Typed name', secret: '' };
    const refused = await browser.form(SOURCES, typed);
    expect(refused.status).toBe(422);
    expect(refused.page).toContain('id="secret-error">Copy the secret from your provider.');
    expect(refused.page).toContain('value="Typed name"');
    expect(refused.page).toContain('value="retell" checked');
    const weak = await browser.form(SOURCES, {
      ...typed,
      provider: 'generic',
      secret: 'typed-secret',
    });
    expect(weak.page).toContain('id="secret-error"');
    expect(weak.page).not.toContain('typed-secret');
    const nothing = await browser.form(SOURCES, {});
    expect(nothing.page).toContain('id="provider-error"');
    expect(nothing.page).toContain('id="name-error"');
  });

  it('a provider’s own secret is not repeated', async () => {
    const { browser } = await world.newBusiness();
    const made = await browser.form(SOURCES, {
      provider: 'retell',
      name: 'Agent',
      secret: 'key_5a0c6e7b1f',
    });
    expect(made.page).toContain('The secret for “Agent” is saved. It won’t be shown again.');
    expect(made.page).not.toContain('key_5a0c6e7b1f');
    expect(made.page).toContain('call_analyzed');
  });

  it('settings are changed as a whole; a checkbox that isn’t checked is a no', async () => {
    const { browser } = await world.newBusiness();
    const { href } = await addSource(browser);
    const changed = await browser.form(href, { is_form: 'true', name: 'New name', creates_leads: 'true' });
    expect([changed.status, changed.headers.location]).toEqual([303, `${href}?done=source-changed`]);
    const { data } = (await browser.json('GET', href)).body;
    expect(data).toMatchObject({
      name: 'New name',
      settings: { creates_leads: true, classifies_sentiment: false },
    });
    expect((await browser.json('POST', href, { name: 'Main line' })).body.data).toMatchObject({
      name: 'Main line',
      settings: data.settings,
    });
    // As programs send them: `settings` alone, whatever stands beside them.
    const program = { settings: { ...data.settings, creates_leads: false }, creates_leads: 'true' };
    expect((await browser.json('POST', href, program)).body.data.settings).toEqual(program.settings);
  });

  it.each(CALL_PROVIDERS)('of %s: Vapi’s fields are shown of Vapi’s alone', async (provider) => {
    const { browser } = await world.newBusiness();
    const { href } = await addSource(browser, { provider, secret: PROVIDER_SECRETS[provider] });
    const { page } = await browser.html(href);
    expect(page.includes('Credential type in Vapi')).toBe(provider === 'vapi');
    const saved = await browser.form(href, { is_form: 'true', name: '' });
    expect([saved.status, saved.page.includes('Credential type in Vapi')]).toEqual([422, false]);
  });

  it('422: what is wrong with Vapi’s signing stands beside its field, and what was typed stays', async () => {
    const { browser } = await world.newBusiness();
    const { href } = await addSource(browser, { provider: 'vapi' });
    const hmac = { is_form: 'true', name: 'Agent', scheme: 'hmac', signature_header: 'x-typed' };
    const refused = await browser.form(href, { ...hmac, timestamp_header: '', payload: '{timestamp}' });
    expect(refused.status).toBe(422);
    expect(refused.page).toContain('id="payload-error"');
    expect(refused.page).toContain('id="timestamp_header-error"');
    expect(refused.page).toContain('value="x-typed"');
    expect(refused.page).toContain('<option value="hmac" selected>');
    const taken = await browser.form(href, {
      ...hmac,
      timestamp_header: 'x-at',
      payload: '{timestamp}.{body}',
    });
    expect(taken.status).toBe(303);
    expect((await browser.json('GET', href)).body.data.settings.vapi.payload).toBe('{timestamp}.{body}');
  });

  it('are paused, resumed, given another secret and deleted, and all of it is written down', async () => {
    const { browser } = await world.newBusiness();
    const source = await addSource(browser);
    const send = async (secret = source.secret) =>
      (await world.calls.ingest(source, genericMessage(genericCall(), { secret, url: source.url }))).status;
    expect((await browser.form(`${source.href}/pause`, {})).headers.location).toBe(
      `${source.href}?done=source-paused`,
    );
    expect(await send()).toBe(404);
    expect((await browser.html(source.href)).page).toContain('Paused: messages to this address are refused,');
    await browser.form(`${source.href}/resume`, {});
    expect(await send()).toBe(202);
    const rotated = await browser.form(`${source.href}/rotate`, {});
    const [secret = ''] = SECRET.exec(rotated.page) ?? [];
    expect([rotated.status, await send(), await send(secret)]).toEqual([200, 401, 202]);
    const gone = await browser.form(`${source.href}/delete`, {});
    expect(gone.headers.location).toBe(`${SOURCES}?done=source-deleted`);
    expect((await browser.html(source.href)).status).toBe(404);
    const { page } = await browser.html('/settings/audit');
    for (const words of [
      ...['Paused a call source', 'Resumed a call source', 'Replaced the secret of a call source'],
      'Deleted a call source',
    ])
      expect(page).toContain(words);
    expect(page).not.toContain(secret);
  });

  it('422: a provider’s new secret is asked for where it is missing', async () => {
    const { browser } = await world.newBusiness();
    const { href } = await addSource(browser, {
      provider: 'twilio',
      secret: '12345678901234567890123456789012',
    });
    const refused = await browser.form(`${href}/rotate`, { secret: '' });
    expect([refused.status, refused.page.includes('id="secret-error"')]).toEqual([422, true]);
  });
});

describe('who may', () => {
  it('404: another business’s source and message answer on every route as what does not exist', async () => {
    const owner = await world.newBusiness();
    const source = await addSource(owner.browser);
    await world.calls.ingest(source, genericMessage(genericCall(), source));
    const [{ id: message }] = await world.calls.settled(owner.tenantId);
    const before = (await owner.browser.json('GET', source.href)).body.data;
    const { browser } = await world.newBusiness();
    const routes = (sourceId: number, messageId: number) =>
      [
        ['GET', `sources/${sourceId}`],
        ['POST', `sources/${sourceId}`, { name: 'Stolen' }],
        ...['pause', 'resume', 'rotate', 'test', 'delete'].map(
          (verb) => ['POST', `sources/${sourceId}/${verb}`, {}] as const,
        ),
        ['DELETE', `sources/${sourceId}`],
        ['GET', `messages/${messageId}`],
        ['POST', `messages/${messageId}/replay`, {}],
        ['POST', `messages/${messageId}/delete`, {}],
        ['DELETE', `messages/${messageId}`],
      ] as const;
    for (const [method, path, body] of [...routes(source.id, message), ...routes(2 ** 40, 2 ** 40)]) {
      const answer = await browser.json(method, `${CALLS}/${path}`, body);
      const kind = path.startsWith('sources') ? 'Call source' : 'Call message';
      expect([method, path, answer.status, answer.body.message]).toEqual([
        ...[method, path, 404],
        `${kind} not found.`,
      ]);
    }
    expect((await browser.html(SOURCES)).page).not.toContain(source.url);
    expect((await owner.browser.json('GET', source.href)).body.data).toEqual(before);
  });

  it('403: nothing is changed without the session’s token', async () => {
    const { browser } = await world.newBusiness();
    const { href } = await addSource(browser);
    for (const path of ['', '/pause', '/rotate', '/delete', '/test']) {
      const { status } = await browser.form(`${href}${path}`, {
        _csrf: 'x',
        is_form: 'true',
        name: 'Stolen',
      });
      expect([path, status]).toEqual([path, 403]);
    }
    expect((await browser.json('GET', href)).body.data).toMatchObject({ name: 'Main line', is_active: true });
  });
});

it('where calls is away the page says so, and keeps what was typed', async () => {
  const { tenantId } = await world.newBusiness();
  const on = await world.startSettings({ CALLS_INTERNAL_URL: NOBODY });
  const { browser } = await world.signedIn({ tenantId, on });
  const { status, page } = await browser.html(SOURCES);
  expect([status, page.includes('The sources can’t be shown right now')]).toEqual([200, true]);
  const typed = await browser.form(SOURCES, { provider: 'generic', name: 'Typed' });
  expect([typed.status, typed.page.includes('value="Typed"')]).toEqual([503, true]);
  expect((await browser.html(`${SOURCES}/1`)).status).toBe(503);
  const settings = { is_form: 'true', name: 'Typed', scheme: 'hmac', signature_header: 'x-typed' };
  const refused = await browser.form(`${SOURCES}/1`, { ...settings, creates_leads: 'true' });
  expect(refused.status).toBe(503);
  for (const text of [
    'value="Typed"',
    'value="x-typed"',
    '"hmac" selected',
    '"creates_leads" value="true" checked',
  ])
    expect(refused.page).toContain(text);
  const tried = await browser.form(`${SOURCES}/1/test`, { from_number: '+49 30 901820' });
  expect([tried.status, tried.page.includes('value="+49 30 901820"')]).toEqual([503, true]);
  expect((await browser.json('GET', SOURCES)).status).toBe(503);
});
