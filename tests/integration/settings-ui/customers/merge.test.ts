import { eventually } from '../../../support/index.ts';
import { startCalls } from '../../calls/calls-world.ts';
import { genericCall } from '../../calls/sample-calls.ts';
import { genericMessage } from '../../calls/signed-messages.ts';
import { operator } from '../../gateway/gateway-world.ts';
import { startCalendarWorld } from '../calendar-world.ts';
import { add, CUSTOMERS, textOf } from '../customers-pages.ts';
import { choicesOf, fieldsOf, refusalsIn } from '../form-fields.ts';
import type { Browser } from '../inject-browser.ts';
import { LOCAL, NOBODY } from '../settings-world.ts';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
let calls: Awaited<ReturnType<typeof startCalls>>;
/** Settings that ask all services. */
let on: Awaited<ReturnType<typeof world.startSettings>>;
beforeAll(async () => {
  world = await startCalendarWorld();
  calls = await startCalls({ env: { CRM_INTERNAL_URL: world.crmUrl } });
  on = await world.startSettings({ CALLS_INTERNAL_URL: await calls.service.internal.listen(LOCAL) });
});
afterAll(async () => {
  await world.stop();
  await calls.service.internal.close();
  await calls.stop();
});

async function newSalon(fields: object = {}) {
  const salon = await world.newSalon({ ...fields, on });
  calls.newTenant({ id: salon.tenantId });
  return salon;
}

const mergeOf = (id: number, other?: number) =>
  `${CUSTOMERS}/${id}/merge${other === undefined ? '' : `?with=${other}`}`;
const recordOf = async (browser: Browser, id: number) =>
  (await browser.json('GET', `${CUSTOMERS}/${id}`)).body;
const drawnIn = (page: string) => fieldsOf(page, 'merge-form');

/** A business with Grace, who was entered twice: the one who stays, and the one who goes. */
async function twoGraces(others: object = {}, owns: object = {}) {
  const salon = await newSalon();
  const { browser } = salon;
  const own = await add(browser, {
    name: 'Grace Wilson-Hall',
    notes: 'Likes tea',
    segment: 'active',
    ...owns,
  });
  const other = await add(browser, {
    name: 'Grace Wilson',
    email: 'grace@example.com',
    notes: 'Has\na dog',
    ...others,
  });
  return { ...salon, own, other, form: drawnIn((await browser.html(mergeOf(own, other))).page) };
}

/** As a program merges them. */
const merge = (browser: Browser, id: number, merged_id: number, more: object = {}) =>
  browser.json('POST', mergeOf(id), { merged_id, takes_phone: false, ...more });

describe('the other customer', () => {
  /** Whom the page offers, in its order, and by what. */
  const offeredIn = (page: string) =>
    [...page.matchAll(/<th scope="row" data-label="Customer"><div>([^<]*)[\s\S]*?<\/tr>/g)].map(
      ([row, name = '']) => [name, /data-label="Match">([^<]*)/.exec(row)?.[1]],
    );

  it('is suggested: of the same email first, then of the same name, then of a similar one', async () => {
    const { browser } = await newSalon({ customer: 'Somebody Else' });
    const email = 'grace@example.com';
    const own = await add(browser, { name: 'Grace Wilson-Hall', email });
    await add(browser, { name: 'Grace Wilson' });
    await add(browser, { name: 'Grace Willson' });
    await add(browser, { name: 'GRACE WILSON-HALL' });
    await add(browser, { name: '<i>G. Hall</i>', email: 'Grace@example.com' });
    await add(browser, { name: 'Great-Grace', email: 'great.grace@example.com' });
    const { status, page } = await browser.html(mergeOf(own));
    expect(status).toBe(200);
    const offered = offeredIn(page);
    expect(offered.slice(0, 2)).toEqual([
      ['&lt;i&gt;G. Hall&lt;/i&gt;', 'Same email'],
      ['GRACE WILSON-HALL', 'Same name'],
    ]);
    expect(offered.slice(2)).toEqual(
      expect.arrayContaining([
        ['Grace Willson', 'Similar name'],
        ['Grace Wilson', 'Similar name'],
      ]),
    );
    expect(offered).toHaveLength(4);
    expect((await browser.html(`${CUSTOMERS}/${own}`)).page).toContain(`href="${mergeOf(own)}"`);
  });

  it('is found by name or number, typing errors allowed; the customer is not offered', async () => {
    const { browser, own } = await twoGraces({ phone: '0151 23456789' });
    const found = async (q: string) =>
      offeredIn((await browser.html(`${mergeOf(own)}?q=${encodeURIComponent(q)}`)).page);
    expect(await found('grace')).toEqual([['Grace Wilson', undefined]]);
    expect(await found('+49 151 23456789')).toEqual([['Grace Wilson', undefined]]);
    expect(await found('wilsno')).toEqual([['Grace Wilson', 'Similar name']]);
    const nobody = await browser.html(`${mergeOf(own)}?q=nobody`);
    expect([nobody.status, nobody.page.includes('No other customer matches.')]).toEqual([200, true]);
  });

  it('404: is none of another business, nor the customer, nor nobody; another one can be chosen', async () => {
    const { browser, own } = await twoGraces();
    const theirs = await newSalon({ customer: 'Their Own' });
    for (const id of [theirs.customer_id, own, 2 ** 40]) {
      const { status, page } = await browser.html(mergeOf(own, id));
      expect([id, status, textOf(page).includes('Choose another one.')]).toEqual([id, 404, true]);
      expect(page).not.toContain('Their Own');
      const form = { merged_id: String(id), takes_phone: 'false' };
      const sent = await browser.form(mergeOf(own), form);
      expect([id, sent.status, textOf(sent.page).includes('Choose another one.')]).toEqual([id, 422, true]);
      expect((await merge(browser, own, id)).status).toBe(422);
    }
    for (const id of ['x', '-1', '1e3'])
      expect((await browser.html(`${CUSTOMERS}/${own}/merge?with=${id}`)).status).toBe(422);
    // Nor can a stranger's be the one who stays.
    expect((await merge(browser, theirs.customer_id, own)).status).toBe(404);
    expect((await browser.html(mergeOf(theirs.customer_id, own))).status).toBe(404);
    expect((await recordOf(theirs.browser, theirs.customer_id)).data.name).toBe('Their Own');
  });
});

describe('two side by side', () => {
  it('what differs is to be chosen; what only one has is marked, and both notes', async () => {
    const { browser, own, other, form } = await twoGraces({ pipeline_stage: '<b>Trial</b>', segment: 'vip' });
    const { page } = await browser.html(mergeOf(own, other));
    expect(choicesOf(page, 'name')).toEqual(['Grace Wilson-Hall', 'Grace Wilson']);
    expect(choicesOf(page, 'email')).toEqual(['', 'grace@example.com']);
    expect(choicesOf(page, 'pipeline_stage')).toEqual(['', '<b>Trial</b>']);
    expect(choicesOf(page, 'notes')).toEqual(['Likes tea', 'Has\na dog', 'Likes tea\n\nHas\na dog']);
    expect(form).toMatchObject({
      name: ['Grace Wilson-Hall'],
      takes_phone: ['false'],
      email: ['grace@example.com'],
      segment: ['active'],
      pipeline_stage: ['<b>Trial</b>'],
      notes: ['Likes tea\n\nHas\na dog'],
    });
    expect(page).not.toContain('<b>Trial');
    expect(page).toContain(`href="${mergeOf(other, own)}">Keep this one instead`);
  });

  it('says what will belong to whom, by numbers where the names are the same, and that it stays so', async () => {
    const { browser, tenantId, booked, own, other } = await twoGraces({ phone: '+49 30 23125001' });
    const said = async (id = other) => textOf((await browser.html(mergeOf(own, id))).page);
    expect(await said()).toContain('Grace Wilson has no appointments or calls. This can’t be undone.');
    await booked({ customer_id: other });
    await booked({ customer_id: other, appointment_time: '14:00' });
    const source = await calls.newSource(tenantId);
    await calls.ingest(source, genericMessage(genericCall(), source));
    await calls.settled(tenantId);
    const moves = '2 appointments and 1 call of Grace Wilson will belong to Grace Wilson-Hall.';
    await eventually(async () => expect(await said()).toContain(`${moves} This can’t be undone.`));
    const same = await add(browser, { name: 'Grace Wilson-Hall', phone: '0151 23456789' });
    await booked({ customer_id: same, appointment_time: '15:30', staff_id: null });
    expect(await said(same)).toMatch(
      /1 appointment of Grace Wilson-Hall \(01512 3456789\) will belong to Grace Wilson-Hall \(030 23125\S*\)\./,
    );
  });

  it('where calls can’t say: all of them', async () => {
    const { tenantId, own, other } = await twoGraces();
    const { browser } = await world.signedIn({ tenantId });
    expect(textOf((await browser.html(mergeOf(own, other))).page)).toContain(
      'All appointments and calls of Grace Wilson will belong to Grace Wilson-Hall.',
    );
  });

  it('a number that is somebody’s leads there', async () => {
    const { browser, own, other } = await twoGraces({ phone: '0151 23456789' });
    const drawn = fieldsOf((await browser.html(`${CUSTOMERS}/${own}/edit`)).page, 'customer-form');
    const taken = await browser.form(`${CUSTOMERS}/${own}`, { ...drawn, phone: '0151 23456789' });
    expect([taken.status, taken.page.includes(`href="${mergeOf(own, other)}"`)]).toEqual([422, true]);
  });
});

describe('a merge', () => {
  it('keeps what was chosen, leads both numbers to one customer, and is in the audit log', async () => {
    const { browser, own, other, form } = await twoGraces({ phone: '0151 23456789' });
    const chosen = { ...form, name: 'Grace Wilson', takes_phone: 'true', notes: 'Has\r\na dog' };
    const { phone } = (await recordOf(browser, own)).data;
    const done = await browser.form(mergeOf(own), chosen);
    expect([done.status, done.headers.location]).toEqual([303, `${CUSTOMERS}/${own}?done=customers-merged`]);
    expect((await recordOf(browser, own)).data).toMatchObject({
      id: own,
      name: 'Grace Wilson',
      phone: '0151 23456789',
      email: 'grace@example.com',
      segment: 'active',
      notes: 'Has\na dog',
    });
    expect((await browser.html(`${CUSTOMERS}/${own}?done=customers-merged`)).page).toContain(
      'Customers merged.',
    );
    const taken = await browser.json('POST', `${CUSTOMERS}/new`, { name: 'Stranger', phone });
    expect([taken.status, taken.body.words]).toEqual([422, 'This number belongs to Grace Wilson.']);
    const log = textOf((await browser.html('/settings/audit')).page);
    expect(log).toContain(`Merged two customers Customer ${other} into customer ${own}`);
    const list = await browser.json('GET', `${CUSTOMERS}?search=grace`);
    expect(list.body.data.map(({ id }: { id: number }) => id)).toEqual([own]);
  });

  it('each page of the one who is gone leads to the other; a change is not lost unsaid; a program gets 404 with their id', async () => {
    const { browser, own, other } = await twoGraces();
    const edit = fieldsOf((await browser.html(`${CUSTOMERS}/${other}/edit`)).page, 'customer-form');
    expect((await merge(browser, own, other)).status).toBe(200);
    for (const path of ['', '/edit', '/merge', `/merge?with=${own}`]) {
      const { status, headers } = await browser.html(`${CUSTOMERS}/${other}${path}`);
      const to = `${CUSTOMERS}/${own}?done=customer-was-merged`;
      expect([path, status, headers.location]).toEqual([path, 303, to]);
    }
    const shown = await browser.html(`${CUSTOMERS}/${own}?done=customer-was-merged`);
    expect(shown.page).toContain('The customer you looked for has been merged into this one.');
    const { status, page } = await browser.form(`${CUSTOMERS}/${other}`, { ...edit, notes: 'New' });
    expect([status, textOf(page).includes('Nothing was saved')]).toEqual([404, true]);
    expect(page).toContain(`<a href="${CUSTOMERS}/${own}">`);
    const answers = [
      await browser.json('GET', `${CUSTOMERS}/${other}`),
      await browser.json('POST', `${CUSTOMERS}/${other}`, { name: 'X' }),
      await merge(browser, other, own),
    ];
    for (const { status, body } of answers)
      expect([status, body.message, body.data]).toEqual([404, 'Customer not found.', { merged_into: own }]);
  });

  it('what still names the one who is gone shows the other one: the calendar, an appointment, a booking', async () => {
    const { browser, own, other, booked } = await twoGraces();
    const appointment = await booked({ customer_id: other });
    expect((await merge(browser, own, other, { name: 'Grace Hall' })).status).toBe(200);
    const day = await browser.html('/settings/calendar?date=2031-06-02');
    expect([day.page.includes('Grace Hall'), day.page.includes('Grace Wilson')]).toEqual([true, false]);
    for (const path of [
      `appointments/${appointment}`,
      `book?customer_id=${other}&date=2031-06-02&time=14:00`,
    ]) {
      const { page } = await browser.html(`/settings/calendar/${path}`);
      expect([path, page.includes(`href="${CUSTOMERS}/${own}">Grace Hall</a>`)]).toEqual([path, true]);
    }
  });

  it('sent twice leads to the same page; of somebody merged elsewhere meanwhile, to the one who has theirs', async () => {
    const { browser, own, other, form, customer_id } = await twoGraces();
    const to = `${CUSTOMERS}/${own}?done=customers-merged`;
    for (let time = 0; time < 2; time += 1) {
      const { status, headers } = await browser.form(mergeOf(own), form);
      expect([status, headers.location]).toEqual([303, to]);
    }
    expect((await browser.html(mergeOf(own, other))).headers.location).toBe(to);
    const elsewhere = await browser.html(mergeOf(customer_id, other));
    expect(elsewhere.status).toBe(200);
    const moved = 'The customer you chose has been merged into <bdi>Grace Wilson-Hall</bdi> meanwhile.';
    expect(elsewhere.page).toContain(moved);
    expect(drawnIn(elsewhere.page)).toMatchObject({ merged_id: [String(own)] });
    const sent = await browser.form(mergeOf(customer_id), { ...form, takes_phone: 'true' });
    expect([sent.status, drawnIn(sent.page).merged_id]).toEqual([422, [String(own)]]);
    expect([sent.page.includes(moved), sent.page.includes('Choose another one')]).toEqual([true, false]);
    expect(drawnIn(sent.page).takes_phone).toEqual(['false']);
    // The same two the other way round.
    const { headers } = await browser.form(mergeOf(other), { ...form, merged_id: String(own) });
    expect(headers.location).toBe(to);
    const program = await merge(browser, other, own);
    expect([program.status, program.body.data]).toEqual([404, { merged_into: own }]);
    const list = await browser.html(`/settings/calls?customer_id=${other}&missed=true`);
    expect(list.headers.location).toBe(`/settings/calls?missed=true&customer_id=${own}`);
  });

  it.each(['own', 'other'] as const)(
    '412: once somebody has changed one of the two (%s), what is new is marked, and what was chosen stays',
    async (changed) => {
      const two = await twoGraces();
      const { browser, own, other, form } = two;
      const path = `${CUSTOMERS}/${two[changed]}`;
      expect((await browser.json('POST', path, { name: 'Grace <b>Hall</b>' })).status).toBe(200);
      const stale = await browser.form(mergeOf(own), { ...form, notes: 'Has\r\na dog', takes_phone: 'true' });
      expect(stale.status).toBe(412);
      expect(refusalsIn(stale.page)[0]).toContain('Someone has changed one of the two');
      expect(
        [...stale.page.matchAll(/<legend>(\w+) <span class="badge waiting">Changed/g)].map(([, of]) => of),
      ).toEqual(['Name']);
      const again = drawnIn(stale.page);
      expect(again).toMatchObject({ takes_phone: ['true'], notes: ['Has\na dog'] });
      expect(again.name).toEqual([changed === 'own' ? 'Grace <b>Hall</b>' : 'Grace Wilson-Hall']);
      expect((await recordOf(browser, other)).data.id).toBe(other);
      expect((await browser.form(mergeOf(own), again)).status).toBe(303);
      const program = await merge(browser, own, two.customer_id, { version: '"1"', merged_version: '"77"' });
      expect(program.status).toBe(412);
    },
  );

  it('notes that are too long together are offered one by one, and refused in words', async () => {
    const [one, two] = ['a', 'b'].map((letter) => letter.repeat(3_000));
    const { browser, own, other, form } = await twoGraces({ notes: one }, { notes: two });
    const { page } = await browser.html(mergeOf(own, other));
    expect(choicesOf(page, 'notes')).toEqual([two, one]);
    const sent = await browser.form(mergeOf(own), { ...form, notes: `${one}${two}` });
    expect([sent.status, refusalsIn(sent.page)]).toEqual([422, ['Notes: Use at most 5,000 characters.']]);
    expect(choicesOf(sent.page, 'notes')).toEqual([two, one]);
    for (const shown of [page, sent.page])
      expect(shown).toContain('Together they are too long to keep both.');
  });

  it('names that are written from right to left turn no word of the question round', async () => {
    const { browser, own, other } = await twoGraces({ name: '\u202EsecarG' });
    const { page } = await browser.html(mergeOf(own, other));
    expect(page.match(/<bdi>\u202EsecarG<\/bdi> has no appointments or calls/g)).toHaveLength(2);
  });

  it('422 in words: whatever JSON of a wrong type stands in whatever field', async () => {
    const { browser, own, other } = await twoGraces();
    const odd: unknown[] = [-1, 1.5, [], ['x'], {}, { toString: 1 }];
    const wrong: Record<string, unknown[]> = {
      merged_id: [...odd, null, true, 'x'],
      takes_phone: [...odd, null, 7, 'x'],
      segment: [...odd, null, 'x'],
      ...Object.fromEntries(
        ['name', 'email', 'pipeline_stage', 'notes'].map((name) => [name, [...odd, true, 'x\0']]),
      ),
      ...Object.fromEntries(
        ['version', 'merged_version'].map((name) => [name, [...odd, null, '', 'x\0', 'x'.repeat(300)]]),
      ),
    };
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) {
        const { status, body } = await merge(browser, own, other, { [field]: value });
        expect([field, value, status, body.words]).toEqual([field, value, 422, expect.any(String)]);
      }
    expect((await recordOf(browser, other)).data.id).toBe(other);
  });

  it('is offered to nobody while the business is suspended', async () => {
    const { browser, tenantId, own, other, form } = await twoGraces();
    const set = (status: string) =>
      world.gatewayWorld.internal(world.gateway, operator, 'PATCH', `/internal/tenants/${tenantId}`, {
        status,
      });
    await set('suspended');
    await eventually(async () => {
      const { page } = await browser.html(mergeOf(own, other));
      expect(page).toContain('This business is suspended.');
      expect(page).not.toContain('show-modal');
    });
    const sent = await browser.form(mergeOf(own), form);
    expect([sent.status, refusalsIn(sent.page)[0]]).toEqual([
      403,
      expect.stringContaining('This business is suspended.'),
    ]);
    expect((await recordOf(browser, other)).data.id).toBe(other);
  });

  it('503: where crm is away nothing is said to be done', async () => {
    const { tenantId, own, form } = await twoGraces();
    const alone = await world.startSettings({ CRM_INTERNAL_URL: NOBODY });
    const { browser } = await world.signedIn({ tenantId, on: alone });
    expect((await browser.form(mergeOf(own), form)).status).toBe(503);
    expect((await browser.html(mergeOf(own))).status).toBe(503);
  });
});
