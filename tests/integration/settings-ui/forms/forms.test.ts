import { randomUUID } from 'node:crypto';
import { apiKeySchema, ENDPOINT_SCOPES, SCOPES_OF_EARLIER_KEYS } from '@frontdesk/contracts';
import { startReceiver, withinOneWindow } from '../../../support/index.ts';
import { bearer, get } from '../../gateway/gateway-world.ts';
import { tokenIn } from '../form-fields.ts';
import type { Browser } from '../inject-browser.ts';
import { type SettingsWorld, startSettingsWorld, UNANSWERED } from '../settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

describe('forms that are sent twice', () => {
  const API = '/settings/api';

  const listed = async (browser: Browser) => {
    const { keys, webhooks } = (await browser.json('GET', API)).body.data;
    const { invitations } = (await browser.json('GET', '/settings/people')).body.data;
    return [keys.length, webhooks.length, invitations.length];
  };

  it.each([
    ['a key', API, `${API}/keys`, { name: 'Website' }, '#keys', [1, 0, 0]],
    [
      'an endpoint',
      API,
      `${API}/webhooks`,
      { url: UNANSWERED, events: 'call.ended' },
      '#webhooks',
      [0, 1, 0],
    ],
  ] as const)(
    '%s is made once, however often its form is sent',
    async (_what, page, action, fields, anchor, made) => {
      const { browser } = await world.signedIn();
      const before = await listed(browser);
      const form = { ...fields, form_token: await tokenIn(browser, page, action) };
      // As by a double click.
      const answers = await Promise.all([browser.form(action, form), browser.form(action, form)]);
      const [first, again] = answers.toSorted((a, b) => a.status - b.status);
      expect([first?.status, again?.status]).toEqual([201, 303]);
      expect(again?.headers.location).toBe(`${page}?done=already-created${anchor}`);
      expect((await browser.html(`${page}?done=already-created`)).page).toContain('Already sent.');
      const after = await listed(browser);
      expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual(made);
    },
  );

  it('an invitation is sent once, however often its form is sent', async () => {
    const { browser } = await world.signedIn();
    const people = '/settings/people';
    const action = `${people}/invitations`;
    const email = `guest-${randomUUID()}@salon.example`;
    const form = { email, form_token: await tokenIn(browser, people, action) };
    const answers = await Promise.all([browser.form(action, form), browser.form(action, form)]);
    expect(new Set(answers.map(({ headers }) => headers.location))).toEqual(
      new Set([`${people}?done=invitation-sent`, `${people}?done=already-invited`]),
    );
    expect((await browser.html(`${people}?done=already-invited`)).page).toContain('Already sent.');
    expect(await listed(browser)).toEqual([0, 0, 1]);
    await world.tokenSentTo(email);
    expect(world.mail.to(email)).toHaveLength(1);
  });

  it('a secret is replaced once, and the answer to a reload shows none', async () => {
    const { browser } = await world.signedIn();
    const { body } = await browser.json('POST', `${API}/webhooks`, {
      url: UNANSWERED,
      events: ['call.ended'],
    });
    const action = `${API}/webhooks/${body.data.id}/rotate-secret`;
    const form = { form_token: await tokenIn(browser, API, action) };
    const first = await browser.form(action, form);
    expect([first.status, first.page.includes('Copy it now')]).toEqual([200, true]);
    const again = await browser.form(action, form);
    expect([again.status, again.headers.location]).toEqual([303, `${API}?done=already-replaced#webhooks`]);
  });

  it('what may have been done, though the answer was lost, is not done again by a reload', async () => {
    // Between the settings and the gateway: the gateway makes the key, and its answer gets lost.
    const between = await startReceiver();
    between.respondWith(async ({ method, path, headers, rawBody }) => {
      const { connection: _, host: __, 'content-length': ___, ...sent } = headers as Record<string, string>;
      const url = `${world.gateway.internalUrl}${path}`;
      const answer = await fetch(url, { method, headers: sent, body: rawBody || null });
      if (answer.status === 201) throw new Error('a hang-up');
      const body = await answer.text();
      return { status: answer.status, headers: { 'content-type': 'application/json' }, body };
    });
    const on = await world.startSettings({ GATEWAY_INTERNAL_URL: between.url });
    const { browser } = await world.signedIn({ on });
    const form = { name: 'Website', form_token: await tokenIn(browser, API, `${API}/keys`) };
    const first = await browser.form(`${API}/keys`, form);
    expect(first.status).toBe(503);
    expect(first.page).toContain('check first');
    expect(first.page).toContain('value="Website"');
    const again = await browser.form(`${API}/keys`, form);
    expect([again.status, again.headers.location]).toEqual([303, `${API}?done=already-created#keys`]);
    expect((await browser.html(`${API}?done=already-created`)).page).toContain('check whether it is there');
    expect(await listed(browser)).toEqual([1, 0, 0]);
    await between.close();
  });

  it('what was refused may be sent again; another session’s token is its own', async () => {
    const [one, other] = [await world.signedIn(), await world.signedIn()];
    const form = { email: 'guest@salon.example', form_token: 'same' };
    const invitations = '/settings/people/invitations';
    const own = await one.browser.form(invitations, { ...form, email: 'no address' });
    expect(own.status).toBe(422);
    for (const { browser } of [one, other])
      expect((await browser.form(invitations, form)).headers.location).toBe(
        '/settings/people?done=invitation-sent',
      );
  });
});

describe('forms that are sent as JSON', () => {
  const DAY_SECONDS = 86_400;
  /** A key that nothing more is said of. */
  const UNBOUNDED = { scopes: SCOPES_OF_EARLIER_KEYS, expires_at: null, networks: null, rolled_to: null };

  it('GET /settings/api: exactly the fields that are decided', async () => {
    const { browser } = await world.signedIn();
    const { body: key } = await browser.json('POST', '/settings/api/keys', { name: 'Website' });
    const endpoint = { url: UNANSWERED, events: ['appointment.created'] };
    const { body: made } = await browser.json('POST', '/settings/api/webhooks', endpoint);
    await browser.json('POST', `/settings/api/webhooks/${made.data.id}/test`, {});

    const { status, body, headers } = await browser.json('GET', '/settings/api');
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    const at = expect.any(String);
    expect(body).toEqual({
      success: true,
      data: {
        keys: [
          {
            id: key.data.id,
            name: 'Website',
            last_four: key.data.last_four,
            is_active: true,
            ...UNBOUNDED,
            last_used_at: null,
            created_at: at,
          },
        ],
        webhooks: [
          { id: made.data.id, ...endpoint, scopes: ENDPOINT_SCOPES, is_active: true, created_at: at },
        ],
        deliveries: [
          {
            id: expect.any(Number),
            endpoint_id: made.data.id,
            event: 'endpoint.test',
            payload: expect.objectContaining({ event: 'endpoint.test' }),
            attempt_count: expect.any(Number),
            http_status: null,
            response_body: null,
            delivered_at: null,
            created_at: at,
          },
        ],
        usage: {
          plan: 'enterprise',
          minute: { limit: 500, used: 0, resets_at: at },
          day: { limit: 100_000, used: 0, resets_at: at },
        },
      },
    });
  });

  it('POST, revoke and DELETE of keys: the key itself this once, and 401 for it within a second', async () => {
    const { browser } = await world.signedIn();
    const made = await browser.json('POST', '/settings/api/keys', { name: 'Website' });
    expect(made.status).toBe(201);
    const { id, key, last_four } = made.body.data;
    expect(made.body).toEqual({
      success: true,
      data: {
        id,
        name: 'Website',
        key: expect.stringMatching(/^fd_live_/),
        last_four,
        is_active: true,
        ...UNBOUNDED,
      },
    });
    const call = () => get(world.gateway, '/api/v1/customers', bearer(key));
    const usedToday = async (): Promise<number> =>
      (await browser.json('GET', '/settings/api')).body.data.usage.day.used;
    await withinOneWindow(DAY_SECONDS, async () => {
      const before = await usedToday();
      expect((await call()).status).toBe(200);
      expect(await usedToday()).toBe(before + 1);
    });

    const revoked = await browser.json('POST', `/settings/api/keys/${id}/revoke`);
    expect(revoked.status).toBe(200);
    expect(apiKeySchema.strict().parse(revoked.body.data)).toMatchObject({ id, is_active: false });
    expect((await call()).status).toBe(401);

    const deleted = await browser.json('DELETE', `/settings/api/keys/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { success: true, data: { id, deleted: true } }]);
    expect((await browser.json('DELETE', `/settings/api/keys/${id}`)).status).toBe(404);
  });

  it('POST and DELETE of webhooks: the secret this once', async () => {
    const { browser } = await world.signedIn();
    const body = { url: UNANSWERED, events: ['appointment.created', 'call.missed'] };
    const made = await browser.json('POST', '/settings/api/webhooks', body);
    const { id } = made.body.data;
    expect([made.status, made.body]).toEqual([
      201,
      {
        success: true,
        data: {
          id,
          ...body,
          scopes: ENDPOINT_SCOPES,
          secret: expect.stringMatching(/^whsec_/),
          is_active: true,
        },
      },
    ]);
    const deleted = await browser.json('DELETE', `/settings/api/webhooks/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { success: true, data: { id, deleted: true } }]);
  });

  it('422 names each failing field, as the owning service does', async () => {
    const { browser } = await world.signedIn();
    const post = async (path: string, body: object) => (await browser.json('POST', path, body)).body;
    expect(await post('/settings/api/keys', {})).toMatchObject({
      code: 'validation_failed',
      errors: { name: ['The name field is required.'] },
    });
    const none = await post('/settings/api/webhooks', { url: UNANSWERED });
    expect(none.errors).toEqual({ events: ['The events field is required.'] });
    const odd = await post('/settings/api/webhooks', { url: 'ftp://example.com', events: ['call.ended'] });
    expect(odd.errors).toEqual({ url: [expect.any(String)] });
    const both = { url: ['The url field must be an http or https address.'], events: [expect.any(String)] };
    expect((await post('/settings/api/webhooks', { url: 'ftp://x', events: [] })).errors).toEqual(both);
    const { id } = (await post('/settings/api/webhooks', { url: UNANSWERED, events: ['call.ended'] })).data;
    const change = await browser.json('PATCH', `/settings/api/webhooks/${id}`, {
      url: 'ftp://x',
      events: [],
    });
    expect([change.status, change.body.errors]).toEqual([422, both]);
  });

  it('401, 403, 404 and 405 come in the envelope', async () => {
    const { browser } = await world.signedIn();
    const nobody = await world.browser().json('GET', '/settings/api');
    expect([nobody.status, nobody.body.code]).toEqual([401, 'unauthorized']);
    for (const token of ['', 'abc', (await world.signedIn()).browser.csrfToken()]) {
      const forged = await browser.json('POST', '/settings/api/keys', { name: 'X' }, token);
      expect([forged.status, forged.body.code]).toEqual([403, 'csrf_failed']);
    }
    for (const path of [
      '/settings/api/keys/abc',
      '/settings/api/keys/0',
      '/settings/api/webhooks/99999999999999',
    ]) {
      expect((await browser.json('DELETE', path)).status).toBe(404);
    }
    expect((await browser.json('GET', '/settings/nothing')).body.code).toBe('not_found');
    const method = await browser.json('DELETE', '/settings/api');
    expect([method.status, method.body.code, method.headers.allow]).toEqual([
      405,
      'method_not_allowed',
      expect.stringContaining('GET'),
    ]);
  });
});
