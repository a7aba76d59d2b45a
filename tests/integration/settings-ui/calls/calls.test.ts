import { eventually } from '../../../support/index.ts';
import {
  addSource,
  CALLS,
  linksIn,
  minutesAgo,
  newPhone,
  SOURCES,
  startCallsSettings,
} from '../calls-settings-world.ts';
import type { Browser } from '../inject-browser.ts';
import { NOBODY } from '../settings-world.ts';

let world: Awaited<ReturnType<typeof startCallsSettings>>;
beforeAll(async () => {
  world = await startCallsSettings();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

const MISSED = `${CALLS}/missed`;
const listed = async (browser: Browser, query: Record<string, string> = {}) =>
  linksIn((await browser.html(`${CALLS}?${new URLSearchParams(query)}`)).page);

describe('the list', () => {
  it('begins with where calls come from', async () => {
    const { browser } = await world.newBusiness();
    const { page } = await browser.html(CALLS);
    expect(page).toContain(`<a class="button primary" href="${SOURCES}">Connect a call source</a>`);
    await addSource(browser);
    expect((await browser.html(CALLS)).page).toContain('make a test call');
  });

  it('leads nobody to sources that their role doesn’t open, and says nothing about them', async () => {
    const { tenantId, browser, ring, source } = await newPhone(world);
    const { browser: viewer } = await world.signedIn({ tenantId, role: 'viewer' });
    for (const path of [CALLS, MISSED]) {
      const { page } = await viewer.html(path);
      expect(page).toMatch(/No (missed )?calls/);
      expect(page).not.toMatch(/href="\/settings\/calls\/sources|Connect|test call|>Source</);
    }
    const id = await ring();
    const shown = (await viewer.html(`${CALLS}/${id}`)).page;
    expect(shown).toContain('<dd>Main line<');
    expect(shown).not.toMatch(/Transcript|Add a customer|Book an appointment|called-back/);
    expect((await browser.html(`${CALLS}/${id}`)).page).toContain(`<a href="${source.href}">Main line</a>`);
  });

  it('shows calls newest first, and those that fit each filter, as a page and as JSON', async () => {
    const { browser, ring, source } = await newPhone(world);
    const happy = await ring({ minutes: 90, sentiment: 'positive', outcome: 'booked' });
    const missed = await ring({ minutes: 60, seconds: 5, from_number: '+4930901831' });
    const out = await ring({ minutes: 30, direction: 'outbound', sentiment: 'negative' });
    expect(await listed(browser)).toEqual([out, missed, happy]);
    const other = await addSource(browser, { name: 'Second line' });
    const today = minutesAgo(0).slice(0, 10);
    for (const [query, ids] of [
      [{ missed: 'true' }, [missed]],
      [{ missed: 'false' }, [out, happy]],
      [{ outcome: 'booked' }, [happy]],
      [{ sentiment: 'negative' }, [out]],
      [{ direction: 'outbound', missed: '' }, [out]],
      [{ source_id: String(source.id) }, [out, missed, happy]],
      [{ source_id: String(other.id) }, []],
      [{ customer_id: '7' }, []],
      [{ from: '2020-01-01', to: '2020-01-02' }, []],
      [{ from: today, to: '2020-01-01' }, []],
      [{ from: '2020-01-01', sentiment: 'positive' }, [happy]],
      [{ page: '2' }, []],
    ] as const) {
      expect([query, await listed(browser, query)]).toEqual([query, ids]);
      const { body } = await browser.json('GET', `${CALLS}?${new URLSearchParams(query)}`);
      expect([query, body.data.map(({ id }: { id: number }) => id)]).toEqual([query, ids]);
    }
    const { page } = await browser.html(`${CALLS}?missed=true&from=2020-01-01`);
    expect(page).toContain('<option value="true" selected>Missed');
    expect(page).toContain('value="2020-01-01"');
    expect(page).toContain('1–1 of 1');
    expect(page).toContain('030 901831');
    expect((await browser.html(`${CALLS}?from=${today}&to=2020-01-01`)).page).toContain(
      'The last day is before the first day.',
    );
  });

  it('a page that the list doesn’t have leads to the first one', async () => {
    const { browser } = await world.newBusiness();
    const { status, page } = await browser.html(`${CALLS}?missed=true&page=7`);
    expect([status, page]).toEqual([
      200,
      expect.stringContaining(
        `The list has no page 7. <a href="${CALLS}?missed=true">Go to the first page</a>`,
      ),
    ]);
  });

  it('422: an address that can’t be read', async () => {
    const { browser } = await world.newBusiness();
    for (const query of ['missed=maybe', 'outcome=won', 'from=2026-02-31', 'source_id=x', 'page=0']) {
      const { status, page } = await browser.html(`${CALLS}?${query}`);
      expect([query, status, page.includes('Show all calls')]).toEqual([query, 422, true]);
    }
  });
});

describe('a call', () => {
  it('shows what was said, by whom and when, as it was said, and how its sentiment is known', async () => {
    const { browser, ring, tenantId } = await newPhone(world);
    world.calls.scheduling.add(tenantId, 77);
    const id = await ring({
      summary: 'Asked for <b>Ada</b>.',
      sentiment: 'positive',
      quality_score: 91,
      outcome: 'inquiry',
      appointment_id: 77,
      recording_url: 'https://calls.example/a.mp3?x=1&y=2',
      transcript: [
        { role: 'agent', text: 'Salon, hello.', start: 0, end: 1 },
        { role: 'customer', text: '<script>alert(1)</script> \u202eolleh', start: 65.4, end: 70 },
        { role: 'system', text: 'Transferred' },
      ],
    });
    const { status, page } = await browser.html(`${CALLS}/${id}`);
    expect(status).toBe(200);
    expect(page).toContain('<h1>Call from 030 23125001</h1>');
    expect(page).toContain('Asked for &lt;b&gt;Ada&lt;/b&gt;.');
    expect(page).toMatch(/said-by-customer"><p class="speaker">Customer <span>1:05<\/span>/);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt; \\u{202e}olleh');
    expect(page).not.toContain('<script>alert');
    expect(page).toContain('Sent by your phone system');
    expect(page).toContain('91 of 100');
    expect(page).toContain('href="https://calls.example/a.mp3?x=1&amp;y=2" rel="noreferrer"');
    expect(page).toContain('href="/settings/calendar/appointments/77"');
    expect(page).toContain('href="tel:+493023125001"');
    expect(page).toContain('/settings/customers/new?phone=%2B493023125001');
    expect((await browser.json('GET', `${CALLS}/${id}`)).body.data).toMatchObject({ id, called_back: null });
  });

  it('an outbound call that nobody answered is no missed call, wherever it is shown', async () => {
    const { browser, ring, tenantId } = await newPhone(world);
    const missed = await ring({ minutes: 90, seconds: 5 });
    const failed = await ring({ minutes: 60, seconds: 0, direction: 'outbound', outcome: 'failed' });
    const out = await ring({ minutes: 30, seconds: 0, direction: 'outbound', outcome: 'no_answer' });
    const rowOf = async (id: number) =>
      (await browser.html(CALLS)).page.split(`<tr id="call-${id}">`)[1]?.split('</tr>')[0];
    const [ofMissed, ofFailed, ofOut] = [await rowOf(missed), await rowOf(failed), await rowOf(out)];
    expect(ofMissed).toContain('<span class="badge bad">Missed</span>');
    expect(ofOut).toContain('<span class="badge off">No answer</span>');
    expect(ofOut).not.toContain('· No answer');
    expect(ofFailed).toContain('<span class="badge off">No answer</span>');
    expect(ofFailed).toContain('· Failed');

    const { page } = await browser.html(`${CALLS}/${out}`);
    expect(page).toContain('<h1>Unanswered call to ');
    expect(page.slice(page.indexOf('<h1>'))).not.toMatch(/missed call (from|to)/i);
    expect((await browser.html(`${CALLS}/${missed}`)).page).toContain('<h1>Missed call from ');
    const found = (await browser.html(`/settings/search?q=${out}`)).page;
    expect(found).toMatch(/, No answer<\/span>/);

    for (const [query, ids] of [
      [{ missed: 'true' }, [missed]],
      [{ missed: 'no_answer' }, [out, failed]],
      [{ missed: 'true', direction: 'outbound' }, [out, failed]],
      [{ missed: 'no_answer', direction: 'inbound' }, [missed]],
      [{ missed: 'false' }, []],
    ] as const)
      expect([query, await listed(browser, query)]).toEqual([query, ids]);
    const filtered = (await browser.html(`${CALLS}?missed=true&direction=outbound`)).page;
    expect(filtered).toContain('<option value="no_answer" selected>No answer</option>');
    // What the contract calls missed stays so for programs.
    const { body } = await browser.json('GET', `${CALLS}?missed=true`);
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([out, failed, missed]);
    const ofApi = await world.calls.list(tenantId, { missed: 'true' });
    expect(ofApi.data.map(({ id }: { id: number }) => id)).toEqual([out, failed, missed]);

    const statistics = await browser.html('/settings/statistics');
    const card = statistics.page.split('id="calls"')[1]?.split('</section>')[0];
    expect(card).toContain('1 missed (33');
    expect(card).toContain('2 outbound without answer');
    expect((await browser.json('GET', '/settings')).body.data.to_call_back).toBe(1);
  });

  it('names an appointment that the business doesn’t have, and leads nowhere', async () => {
    const { browser, ring } = await newPhone(world);
    const { page } = await browser.html(`${CALLS}/${await ring({ appointment_id: 78 })}`);
    expect(page).toContain('Not confirmed yet');
    expect(page).toContain('The source named appointment 78.');
    expect(page).not.toContain('href="/settings/calendar/appointments/78"');
  });

  it('a sentiment from the words says so; a long transcript ends where a page would get too large', async () => {
    const { browser, ring } = await newPhone(world);
    const line = { role: 'customer', text: `This is wonderful, thank you! ${'So it is. '.repeat(50)}` };
    const id = await ring({ transcript: Array.from({ length: 1_500 }, () => line) });
    const { page } = await browser.html(`${CALLS}/${id}`);
    expect(page).toContain('Worked out from the customer’s words');
    expect(page).toContain('Only the beginning is shown.');
    expect(page.length).toBeLessThan(200_000);
  });

  it('of one long utterance, or of what would hide, shows the beginning, and says so', async () => {
    const { browser, ring } = await newPhone(world);
    for (const text of [`${'talks '.repeat(20_000)}the end`, `${'\u202e'.repeat(20_000)}the end`]) {
      const id = await ring({ transcript: [{ role: 'customer', text }] });
      const { page } = await browser.html(`${CALLS}/${id}`);
      expect(page).toContain('Only the beginning is shown.');
      expect(page).not.toContain('the end');
      expect(page.length).toBeLessThan(120_000);
    }
  });

  it('404: another business’s call, to be seen or marked, answers as none at all', async () => {
    const { browser: owner, ring } = await newPhone(world);
    const id = await ring({ seconds: 5 });
    const { browser } = await newPhone(world);
    for (const call of [id, 2 ** 40])
      for (const [method, verb] of [
        ['GET', ''],
        ['POST', '/called-back'],
        ['POST', '/not-called-back'],
      ] as const) {
        const { status, body } = await browser.json(method, `${CALLS}/${call}${verb}`, verb ? {} : undefined);
        expect([verb, status, body.message]).toEqual([verb, 404, 'Call not found.']);
      }
    expect(await listed(browser)).toEqual([]);
    expect((await owner.json('GET', MISSED)).body.data).toMatchObject({ open: [{ id }], open_total: 1 });
  });
});

it('where calls is away the pages say so', async () => {
  const { tenantId } = await world.newBusiness();
  const on = await world.startSettings({ CALLS_INTERNAL_URL: NOBODY });
  const { browser } = await world.signedIn({ tenantId, on });
  for (const [path, words] of [
    [CALLS, 'The calls can’t be shown right now'],
    [MISSED, 'The missed calls can’t be shown right now'],
    ['/settings', 'Not everything can be checked right now.'],
  ] as const) {
    const { status, page } = await browser.html(path);
    expect([path, status, page.includes(words)]).toEqual([path, 200, true]);
  }
  expect((await browser.json('GET', CALLS)).status).toBe(503);
  expect((await browser.html(`${CALLS}/1`)).status).toBe(503);
  const refused = await browser.form(`${CALLS}/1/called-back`, {});
  expect([refused.status, refused.page.includes('The missed calls can’t be shown')]).toEqual([503, true]);
  await eventually(async () =>
    expect((await browser.json('GET', '/settings')).body.data.to_call_back).toBeNull(),
  );
});
