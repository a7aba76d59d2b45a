import { Client } from 'pg';
import {
  addService,
  addStaff,
  BUSINESS,
  type BusinessWorld,
  startBusinessWorld,
  versionIn,
  versionTo,
} from '../business-world.ts';

let world: BusinessWorld;
beforeAll(async () => {
  world = await startBusinessWorld();
});
afterAll(() => world.stop());

const SERVICES = `${BUSINESS}/services`;
const FORM = {
  name: 'Massage',
  description: 'An hour of rest',
  duration_minutes: '60',
  price: '80,50',
  buffer_before_minutes: '0',
  buffer_after_minutes: '15',
};

it('an empty list says what to do next', async () => {
  const { browser } = await world.signedIn();
  const { page } = await browser.html(SERVICES);
  expect(page).toContain('No services yet.');
  expect(page).toContain(`href="${SERVICES}/new"`);
});

it('who changes no services reads them, with no form and no way to one', async () => {
  const { browser, tenantId } = await world.signedIn();
  const { browser: viewer } = await world.signedIn(tenantId, 'viewer');
  const empty = (await viewer.html(SERVICES)).page;
  expect(empty).toContain('No services yet.');
  const anna = await addStaff(browser);
  const id = await addService(browser, { description: 'With <b>wash</b>', performers: [anna] });
  const list = (await viewer.html(SERVICES)).page;
  expect(list).toContain(`href="${SERVICES}/${id}"`);
  const { page } = await viewer.html(`${SERVICES}/${id}`);
  const [, facts = ''] = /<dl class="facts">(.*?)<\/dl>/s.exec(page) ?? [];
  const shown = facts.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(shown).toContain('With &lt;b&gt;wash&lt;/b&gt; Duration 1 h Price 45,50 € Performed by Anna');
  for (const markup of [empty, list, page]) {
    expect(markup).not.toMatch(new RegExp(`(href|action)="${SERVICES}/(new|${id}/)`));
    expect(markup).not.toMatch(/Edit|Deactivate|Enter hours/);
  }
});

it('adds a service with who performs it, as people type it', async () => {
  const { browser } = await world.signedIn();
  const [anna, ben] = [await addStaff(browser), await addStaff(browser, { name: 'Ben' })];
  const { page } = await browser.html(`${SERVICES}/new`);
  expect(page.match(/name="performers" value="\d+" checked/g)).toHaveLength(2);
  const added = await browser.form(`${SERVICES}/new`, { ...FORM, performers: String(ben) });
  const [service] = (await browser.json('GET', SERVICES)).body.data;
  const list = `${SERVICES}?done=service-added:${service.id}`;
  expect([added.status, added.headers.location]).toEqual([303, list]);
  expect((await browser.html(list)).page).toContain('Added. Massage costs 80,50\u00A0€.');
  expect(service).toMatchObject({ name: 'Massage', price: 80.5, currency: 'EUR', buffer_after_minutes: 15 });
  const performed = async (id: number) =>
    (await browser.json('GET', `${BUSINESS}/staff/${id}`)).body.data.service_ids;
  expect([await performed(anna), await performed(ben)]).toEqual([[], [service.id]]);
});

it('422: each field says what is wrong with it, and all of it stays', async () => {
  const { browser } = await world.signedIn();
  const wrong = { ...FORM, duration_minutes: '0', price: 'a lot', name: '' };
  const { status, page } = await browser.form(`${SERVICES}/new`, wrong);
  expect(status).toBe(422);
  expect(page).toContain('id="duration_minutes-error">Enter 1 or more.');
  expect(page).toContain('id="price-error">Enter an amount such as 29,50.');
  expect(page).toContain('id="name-error">This field is required.');
  expect(page).toMatch(/name="price"[^>]* value="a lot"/);
  expect(page).toContain('>An hour of rest</textarea>');
});

it('a name that is taken, a price finer than the currency', async () => {
  const { browser } = await world.signedIn();
  await addService(browser, { name: 'Massage' });
  const taken = await browser.form(`${SERVICES}/new`, FORM);
  expect([taken.status, taken.page.includes('This name is already in use.')]).toEqual([422, true]);
  const fine = await browser.form(`${SERVICES}/new`, { ...FORM, name: 'Other', price: '0.005' });
  expect([fine.status, fine.page.includes('EUR has at most 2 decimals')]).toEqual([422, true]);
});

it('edits; who performs it changes only for those who were checked or unchecked', async () => {
  const { browser } = await world.signedIn();
  const id = await addService(browser);
  const [anna, ben, cem] = [
    await addStaff(browser, { name: 'Anna', service_ids: [id] }),
    await addStaff(browser, { name: 'Ben' }),
    await addStaff(browser, { name: 'Cem' }),
  ];
  const { page } = await browser.html(`${SERVICES}/${id}`);
  // A colleague is faster with Cem, of whom this form knows nothing yet.
  await browser.json('POST', `${BUSINESS}/staff/${cem}`, { service_ids: [id] });
  const saved = await browser.form(`${SERVICES}/${id}`, {
    ...FORM,
    version: versionIn(page, 'service-form'),
    shown_performers: String(anna),
    performers: String(ben),
  });
  expect(saved.status).toBe(303);
  const { body } = await browser.json('GET', `${BUSINESS}/staff`);
  const performing = body.data.filter((member: { service_ids: number[] }) => member.service_ids.includes(id));
  expect(performing.map((member: { id: number }) => member.id)).toEqual([ben, cem]);
  expect((await browser.json('GET', `${SERVICES}/${id}`)).body.data).toMatchObject({
    name: 'Massage',
    price: 80.5,
    description: 'An hour of rest',
  });
});

it('412: what a colleague saved meanwhile is not overwritten', async () => {
  const { browser } = await world.signedIn();
  const id = await addService(browser);
  const version = versionIn((await browser.html(`${SERVICES}/${id}`)).page, 'service-form');
  await browser.json('POST', `${SERVICES}/${id}`, { price: 50 });
  const clash = await browser.form(`${SERVICES}/${id}`, { ...FORM, version });
  expect(clash.status).toBe(412);
  expect(clash.page).toContain('value="80,50"');
  expect((await browser.json('GET', `${SERVICES}/${id}`)).body.data.price).toBe(50);
});

it('a staff member who was deleted meanwhile is no matter when unchecked, and spoken of when checked', async () => {
  const { browser } = await world.signedIn();
  const id = await addService(browser);
  const path = `${SERVICES}/${id}`;
  const [gone, ben] = [await addStaff(browser), await addStaff(browser, { name: 'Ben' })];
  await browser.form(`${BUSINESS}/staff/${gone}/delete`, {});
  const unchecked = { ...FORM, shown_performers: String(gone), performers: String(ben) };
  const saved = await browser.form(path, unchecked);
  expect([saved.status, saved.headers.location]).toEqual([303, `${SERVICES}?done=service-saved:${id}`]);
  expect((await browser.json('GET', `${BUSINESS}/staff/${ben}`)).body.data.service_ids).toEqual([id]);

  const checked = { ...FORM, name: 'Sauna', performers: [String(gone), String(ben)] };
  const refused = await browser.form(path, checked);
  expect(refused.status).toBe(422);
  expect(refused.page).toContain('Someone among them was deleted meanwhile.');
  expect(refused.page).toContain('value="Sauna"');
  expect((await browser.json('GET', path)).body.data.name).toBe('Massage');
});

it('a service and who performs it are saved together or not at all; the audit log says so once', async () => {
  const { browser } = await world.signedIn();
  const path = `${SERVICES}/${await addService(browser)}`;
  const ben = await addStaff(browser, { name: 'Ben', service_ids: [] });
  const scheduling = new Client({ connectionString: world.scheduling.config.DATABASE_URL });
  await scheduling.connect();
  await scheduling.query(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'refused'; end $$`);
  await scheduling.query('create trigger refuse before insert on staff_services execute function refuse()');
  const saved = await browser.form(path, { ...FORM, performers: String(ben) });
  await scheduling.query('drop function refuse cascade');
  await scheduling.end();
  expect(saved.status).toBe(503);
  expect(saved.page).toContain('value="Massage"');
  expect((await browser.json('GET', path)).body.data.name).toBe('Haircut');
  const { page } = await browser.html('/settings/audit');
  expect(page.match(/Changed a service(?:(?!<\/tr>)[\s\S])*ot confirmed/g)).toHaveLength(1);
});

it('412: what a colleague changed meanwhile is not deleted unseen', async () => {
  const { browser } = await world.signedIn();
  const path = `${SERVICES}/${await addService(browser)}`;
  const version = versionTo((await browser.html(path)).page, `${path}/delete`);
  await browser.json('POST', path, { price: 50 });
  expect((await browser.form(`${path}/delete`, { version })).status).toBe(412);
  expect((await browser.json('GET', path)).body.data.price).toBe(50);
});

it('is deactivated, activated again and deleted, each written down', async () => {
  const { browser } = await world.signedIn();
  const id = await addService(browser);
  for (const [verb, isActive] of [
    ['deactivate', false],
    ['activate', true],
  ] as const) {
    const done = await browser.form(`${SERVICES}/${id}/${verb}`, {});
    expect([done.status, done.headers.location]).toEqual([303, `${SERVICES}/${id}?done=service-${verb}d`]);
    expect((await browser.json('GET', `${SERVICES}/${id}`)).body.data.is_active).toBe(isActive);
  }
  expect((await browser.form(`${SERVICES}/${id}/delete`, {})).status).toBe(303);
  expect((await browser.html(`${SERVICES}/${id}`)).status).toBe(404);
  const { page } = await browser.html('/settings/audit');
  for (const words of ['Added', 'Deactivated', 'Activated', 'Deleted'])
    expect(page).toContain(`${words} a service`);
});

describe('categories', () => {
  const headings = (page: string) =>
    [...page.matchAll(/<th scope="rowgroup"[^>]*>([^<]*)<|<a href="[^"]*\/services\/\d+">([^<]*)</g)].map(
      ([, heading, name]) => heading ?? `- ${name}`,
    );

  it('are typed or chosen again; the list stands under them, services without one last', async () => {
    const { browser } = await world.signedIn();
    await addService(browser, { name: 'Advice' });
    await addService(browser, { name: 'Cut' });
    expect(headings((await browser.html(SERVICES)).page)).toEqual(['- Advice', '- Cut']);
    await addService(browser, { name: 'Manicure', category: 'Nails & hands' });
    const added = await browser.form(`${SERVICES}/new`, { ...FORM, category: '  Body ' });
    expect(added.status).toBe(303);
    expect(headings((await browser.html(SERVICES)).page)).toEqual([
      ...['Body', '- Massage', 'Nails &amp; hands', '- Manicure'],
      ...['Other', '- Advice', '- Cut'],
    ]);
    const { page } = await browser.html(`${SERVICES}/new`);
    expect(page).toContain(
      '<datalist id="category-list"><option value="Body"></option><option value="Nails &amp; hands"></option></datalist>',
    );
  });

  it('are taken away where the field is emptied; a long one is refused in words', async () => {
    const { browser } = await world.signedIn();
    const id = await addService(browser, { name: 'Massage', category: 'Body' });
    const path = `${SERVICES}/${id}`;
    const version = versionIn((await browser.html(path)).page, 'service-form');
    const long = await browser.form(path, { ...FORM, version, category: 'x'.repeat(65) });
    expect([long.status, long.page.includes('id="category-error">Use at most 64 characters.')]).toEqual([
      422,
      true,
    ]);
    expect((await browser.form(path, { ...FORM, version, category: ' ' })).status).toBe(303);
    expect((await browser.json('GET', path)).body.data.category).toBeNull();
  });
});
