import { tokenIn } from './form-fields.ts';
import type { Browser } from './inject-browser.ts';
import { type SettingsWorld, startSettingsWorld, UNANSWERED } from './settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

const API = '/settings/api';

const listed = async (browser: Browser) => {
  const { keys, webhooks } = (await browser.json('GET', API)).body.data;
  const { invitations } = (await browser.json('GET', '/settings/people')).body.data;
  return [keys.length, webhooks.length, invitations.length];
};

it.each([
  ['a key', API, `${API}/keys`, { name: 'Website' }, '#keys', [1, 0, 0]],
  ['an endpoint', API, `${API}/webhooks`, { url: UNANSWERED, events: 'call.ended' }, '#webhooks', [0, 1, 0]],
  [
    'an invitation',
    '/settings/people',
    '/settings/people/invitations',
    { email: 'guest@salon.example' },
    '',
    [0, 0, 1],
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
    expect((await browser.html(`${page}?done=already-created`)).page).toContain('Already created.');
    const after = await listed(browser);
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual(made);
  },
);

it('a secret is replaced once, and the answer to a reload shows none', async () => {
  const { browser } = await world.signedIn();
  const { body } = await browser.json('POST', `${API}/webhooks`, { url: UNANSWERED, events: ['call.ended'] });
  const action = `${API}/webhooks/${body.data.id}/rotate-secret`;
  const form = { form_token: await tokenIn(browser, API, action) };
  const first = await browser.form(action, form);
  expect([first.status, first.page.includes('Copy it now')]).toEqual([200, true]);
  const again = await browser.form(action, form);
  expect([again.status, again.headers.location]).toEqual([303, `${API}?done=already-replaced#webhooks`]);
});

it('what was refused may be sent again; another session’s token is its own', async () => {
  const [one, other] = [await world.signedIn(), await world.signedIn()];
  const form = { email: 'guest@salon.example', form_token: 'same' };
  const invitations = '/settings/people/invitations';
  const own = await one.browser.form(invitations, { ...form, email: one.email });
  expect(own.status).toBe(422);
  for (const { browser } of [one, other]) expect((await browser.form(invitations, form)).status).toBe(201);
});
