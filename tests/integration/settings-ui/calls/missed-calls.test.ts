import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { CALLS, linksIn, newPhone, startCallsSettings } from '../calls-settings-world.ts';
import type { Browser } from '../inject-browser.ts';
import { liveMarkups, withoutAge } from '../live-markups.ts';

let world: Awaited<ReturnType<typeof startCallsSettings>>;
beforeAll(async () => {
  world = await startCallsSettings();
});
beforeEach(withoutAge);
afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

const MISSED = `${CALLS}/missed`;

describe('missed calls', () => {
  it('wait until somebody has called back: marked by whom, undone again, and both written down', async () => {
    const { browser, ring, tenantId } = await newPhone(world);
    expect((await browser.html(MISSED)).page).toContain('No missed calls.');
    await ring();
    const id = await ring({ seconds: 5, outcome: 'voicemail' });
    await ring({ seconds: 5, minutes: 15 * 24 * 60 });
    expect(linksIn((await browser.html(MISSED)).page)).toEqual([id]);

    const done = await browser.form(`${CALLS}/${id}/called-back`, { return_to: 'missed' });
    expect([done.status, done.headers.location]).toEqual([303, `${MISSED}?done=called-back`]);
    const { page } = await browser.html(MISSED);
    expect(page).toContain('All missed calls are called back.');
    expect(page).toMatch(new RegExp(`<tr id="done-${id}">[\\s\\S]*by admin-\\S+@salon.example`));
    expect((await browser.html(`${CALLS}/${id}`)).page).toContain(`action="${CALLS}/${id}/not-called-back"`);

    const undone = await browser.form(`${CALLS}/${id}/not-called-back`, { return_to: 'call' });
    expect(undone.headers.location).toBe(`${CALLS}/${id}?done=not-called-back`);
    expect((await browser.json('GET', MISSED)).body.data).toMatchObject({ open: [{ id }], done: [] });
    const audit = (await browser.html('/settings/audit')).page;
    expect(audit).toContain('Marked a missed call as called back');
    expect(audit).toContain('Marked a missed call as not called back');
    expect(await world.calls.eventTypes(tenantId)).not.toContain('call.updated');
  });

  it('422: a call that was answered can’t be called back, as the page says', async () => {
    const { browser, ring } = await newPhone(world);
    const id = await ring();
    const { status, page } = await browser.form(`${CALLS}/${id}/called-back`, { return_to: 'call' });
    expect([status, page.includes('Only a missed inbound call can be marked')]).toEqual([422, true]);
  });

  it('a page that is open shows the call that is missed meanwhile', async () => {
    const { browser, ring } = await newPhone(world);
    const live = await liveMarkups(world.settings, browser, `${MISSED}/live`);
    expect((await live.next()).value).toContain('No missed calls.');
    const id = await ring({ seconds: 5 });
    expect((await live.next()).value).toContain(`id="open-${id}"`);
    await live.return(undefined);
    const list = await liveMarkups(world.settings, browser, `${CALLS}/live`);
    expect((await list.next()).value).toContain(`id="call-${id}"`);
    await list.return(undefined);
  });

  it('calls is asked for either list once for all who follow it, and each has forms of their own', async () => {
    const { browser, ring, tenantId } = await newPhone(world);
    const id = await ring({ seconds: 5 });
    const { browser: colleague } = await world.signedIn({ tenantId });
    const asked: string[] = [];
    const count = (message: unknown) => {
      const { url = '' } = (message as { request: IncomingMessage }).request;
      const [, list] = url.split(/\/internal\/tenants\/\d+\/(calls|call-backs)\?/);
      if (list && url.includes(`/${tenantId}/`)) asked.push(list);
    };
    // No time passes: what has been looked at is looked at no second time.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    subscribe('http.server.request.start', count);
    const follow = async (by: Browser, path: string) => {
      const stream = await liveMarkups(world.settings, by, path);
      const { value } = await stream.next();
      return { stream, value };
    };
    const paths = [`${MISSED}/live`, `${CALLS}/live`].flatMap((path) => [path, path]);
    const followed = await Promise.all(
      [browser, colleague].flatMap((by) => paths.map((path) => follow(by, path))),
    );
    unsubscribe('http.server.request.start', count);
    jest.restoreAllMocks();
    await Promise.all(followed.map(({ stream }) => stream.return(undefined)));
    expect(asked.toSorted()).toEqual(['call-backs', 'calls']);
    for (const { value } of followed) expect(value).toMatch(new RegExp(`id="(open|call)-${id}"`));
    const tokens = followed.flatMap(({ value }) => [
      ...(value?.matchAll(/name="_csrf" value="(.*?)"/g) ?? []),
    ]);
    expect(new Set(tokens.map(([, token]) => token)).size).toBe(4);
  });
});

it('Today lists whom to call back, takes one press for it, and offers the way back', async () => {
  const { browser, ring } = await newPhone(world);
  const listed = async () =>
    (await browser.html('/settings')).page.split('id="call-backs"')[1]?.split('</section>')[0] ?? '';
  expect(await listed()).toContain('Nobody to call back.');
  const id = await ring({ seconds: 5, from_number: '+4930901820' });
  const { page } = await browser.html('/settings');
  expect(page).toContain('<a class="badge bad" href="#call-backs">1 to call back</a>');
  const one = await listed();
  for (const part of [
    `href="${CALLS}/${id}"`,
    'href="tel:+4930901820"',
    `href="/settings/calendar/book?call_id=${id}"`,
    `form="desk" formaction="${CALLS}/${id}/called-back"`,
  ])
    expect(one).toContain(part);
  expect((await browser.json('GET', '/settings')).body.data.to_call_back).toBe(1);

  const done = await browser.form(`${CALLS}/${id}/called-back`, { return_to: 'today' });
  expect([done.status, done.headers.location]).toEqual([303, `/settings?done=called-back:${id}`]);
  expect(await listed()).toContain('Nobody to call back.');
  const after = await browser.html(String(done.headers.location));
  expect(after.page).toMatch(
    new RegExp(`Marked as called back.*formaction="${CALLS}/${id}/not-called-back"`, 's'),
  );
  await browser.form(`${CALLS}/${id}/not-called-back`, { return_to: 'today' });
  expect(await listed()).toContain(`href="${CALLS}/${id}"`);
  const refused = await browser.json('POST', `${CALLS}/${id}/called-back`, { return_to: 'elsewhere' });
  expect(refused.status).toBe(422);
});
