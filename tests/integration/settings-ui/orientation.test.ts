import type { MemberRole } from '@frontdesk/contracts';
import { operator } from '../gateway/gateway-world.ts';
import { startCalendarWorld } from './calendar-world.ts';
import type { Browser } from './inject-browser.ts';
import { NOBODY } from './settings-world.ts';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
beforeAll(async () => {
  world = await startCalendarWorld();
});
afterAll(() => world.stop());

describe('the first steps', () => {
  const overview = async (browser: Browser) => {
    const { page } = await browser.html('/settings');
    const { data } = (await browser.json('GET', '/settings')).body;
    return { page, ...data };
  };
  const doneOf = (steps: { step: string; done: boolean }[] | null) =>
    steps?.filter(({ done }) => done).map(({ step }) => step);

  it('a business sees what is left to do until its first appointment', async () => {
    const salon = await world.newSalon();
    const before = await overview(salon.browser);
    // Its call sources can't be counted: calls is away.
    expect(before.first_steps.map(({ step }: { step: string }) => step)).toEqual([
      ...['opening_hours', 'service', 'staff', 'booking_policy', 'appointment', 'colleague', 'program'],
    ]);
    expect(doneOf(before.first_steps)).toEqual(['opening_hours', 'service', 'staff']);
    expect(before.page).toContain('href="/settings/calendar/book"');
    expect(before.page.match(/<li class="is-done">/g)).toHaveLength(3);

    await salon.booked();
    const after = await overview(salon.browser);
    expect(after.first_steps).toBeNull();
    expect(after.page).not.toContain('First steps');
  });

  it.each(['open', 'slots_only'])(
    'asks which times may be booked, until the owner has saved %s',
    async (policy) => {
      const { browser } = await world.newSalon();
      const [page, rules] = ['/settings/business', '/settings/business/booking'];
      expect((await overview(browser)).page).toContain('href="/settings/business#booking"');
      expect((await browser.html(page)).page).toContain('You haven’t chosen yet.');

      // Other rules say nothing about it.
      expect((await browser.json('POST', rules, { horizon_days: 30 })).status).toBe(200);
      expect(doneOf((await overview(browser)).first_steps)).not.toContain('booking_policy');

      expect((await browser.json('POST', rules, { booking_policy: policy })).status).toBe(200);
      expect(doneOf((await overview(browser)).first_steps)).toContain('booking_policy');
      expect((await browser.html(page)).page).not.toContain('You haven’t chosen yet.');
    },
  );

  it('one without services has that among its steps, and is not told twice', async () => {
    const { tenantId, browser } = await world.newSalon({ services: [], staff: [] });
    await world.newAdmin(tenantId);
    const { page, first_steps } = await overview(browser);
    expect(doneOf(first_steps)).toEqual(['colleague']);
    expect(page).toContain('Add a service');
    expect(page).not.toContain('Nothing can be booked yet');
  });

  it('are those of pages that the role opens, and nobody else’s who doesn’t set the business up', async () => {
    const { tenantId } = await world.newSalon();
    const stepsOf = async (role: MemberRole) => {
      const { page, first_steps } = await overview((await world.signedIn({ tenantId, role })).browser);
      expect(page.includes('First steps')).toBe(first_steps !== null);
      return first_steps?.map(({ step }: { step: string }) => step) ?? null;
    };
    const ofBusiness = ['opening_hours', 'service', 'staff', 'booking_policy', 'appointment'];
    expect(await stepsOf('owner')).toEqual([...ofBusiness, 'colleague', 'program']);
    expect(await stepsOf('manager')).toEqual(ofBusiness);
    for (const role of ['receptionist', 'developer', 'viewer'] as const)
      expect([role, await stepsOf(role)]).toEqual([role, null]);
  });

  it('a quota near its end is among what needs somebody today', async () => {
    const { tenantId, browser } = await world.newSalon();
    await world.gatewayWorld.internal(world.gateway, operator, 'PATCH', `/internal/tenants/${tenantId}`, {
      plan: 'starter',
    });
    expect((await overview(browser)).quotas).toEqual([]);
    for (let admins = 1; admins < 4; admins += 1) await world.newAdmin(tenantId);
    const { page, quotas } = await overview(browser);
    expect(quotas).toEqual([{ name: 'admins', used: 4, allowed: 5 }]);
    expect(page).toMatch(/href="\/settings\/people"><span class="count waiting">80\u00A0%<\/span>/);
    const { browser: viewer } = await world.signedIn({ tenantId, role: 'viewer' });
    expect((await overview(viewer)).page).not.toContain('Needs attention');
  });
});

describe('the search', () => {
  /** Names and addresses of what the page lists, in its order. */
  const linksIn = (page: string): string[] =>
    [...page.slice(page.indexOf('id="found"')).matchAll(/<li><a href="([^"]*)"/g)].map(
      ([, href = '']) => href,
    );

  it('finds customers by name, email or number with what is theirs, appointments by number, and pages by name', async () => {
    const { browser, booked, customer_id } = await world.newSalon({ customer: 'Mia <b>Wong</b>' });
    const id = await booked();
    const found = async (q: string) => {
      const { status, page } = await browser.html(`/settings/search?q=${encodeURIComponent(q)}`);
      expect([q, status]).toEqual([q, 200]);
      expect(page).not.toContain('<b>Wong');
      return linksIn(page);
    };
    const theirs = [`/settings/customers/${customer_id}`, `/settings/calendar/appointments/${id}`];
    expect(await found('wong')).toEqual(theirs);
    expect(await found('901820')).toEqual(theirs);
    expect(await found(`#${id}`)).toContain(`/settings/calendar/appointments/${id}`);
    expect(await found('opening')).toEqual(['/settings/business/opening-hours']);
    expect(await found('')).toContain('/settings/audit');
    for (const text of ['nothing like it', 'wo\0ng']) expect(await found(text)).toEqual([]);

    const { body } = await browser.json('GET', '/settings/search?q=wong');
    expect(body.data).toEqual({
      pages: [],
      appointment: null,
      call: null,
      similar_customers: [],
      staff: [],
      services: [],
      customers: [expect.objectContaining({ id: customer_id, name: 'Mia <b>Wong</b>' })],
    });
  });

  it('lists a record once whose number also finds its customer', async () => {
    const { browser, booked, customer_id } = await world.newSalon({
      customer: 'Mia 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15',
    });
    const id = await booked();
    const { page } = await browser.html(`/settings/search?q=${id}`);
    expect(linksIn(page)).toEqual([
      `/settings/calendar/appointments/${id}`,
      `/settings/customers/${customer_id}`,
    ]);
  });

  it('finds staff and services by name, forgives accents and typing errors, and says which names are only similar', async () => {
    const { browser } = await world.newSalon({ customer: 'Siobhán Murphy' });
    const addTo = async (list: string, body: object): Promise<number> => {
      const answer = await browser.json('POST', `/settings/business/${list}/new`, body);
      expect([answer.status, answer.body.errors]).toEqual([201, undefined]);
      return answer.body.data.id;
    };
    const staff = await addTo('staff', { name: 'Zoë Krüger', specialties: [], service_ids: [] });
    const service = await addTo('services', { name: 'Köpfmassage', duration_minutes: 30, price: 20 });
    const sections = async (q: string) => {
      const { page } = await browser.html(`/settings/search?q=${encodeURIComponent(q)}`);
      const found = page.slice(page.indexOf('id="found"'));
      return Object.fromEntries(
        [...found.matchAll(/<section[^>]*><h2>([^<]*)<\/h2>(.*?)<\/section>/gs)].map(
          ([, title, links = '']) => [title, linksIn(`id="found"${links}`)],
        ),
      );
    };
    const [ofStaff, ofService] = [
      `/settings/business/staff/${staff}`,
      `/settings/business/services/${service}`,
    ];
    expect(await sections('zoe kruger')).toEqual({ Staff: [ofStaff] });
    expect(await sections('KRÜG')).toEqual({ Staff: [ofStaff] });
    expect(await sections('Wagner')).toEqual({});
    expect(await sections('Kurger')).toEqual({ 'Similar names': [ofStaff] });
    expect(await sections('kopfmassage')).toEqual({ Services: [ofService] });
    expect(await sections('Kopfmasage')).toEqual({ 'Similar names': [ofService] });
    expect(Object.keys(await sections('siobahn'))).toEqual(['Similar names']);
    for (const q of ['%', '_', '\\']) expect(Object.keys(await sections(q))).toEqual(['Pages']);

    const { body } = await browser.json('GET', '/settings/search?q=kurger');
    expect(body.data).toMatchObject({
      customers: [],
      similar_customers: [],
      staff: [{ id: staff, name: 'Zoë Krüger', is_active: true, is_similar: true }],
      services: [],
    });
    const other = (await world.newSalon()).browser;
    for (const q of ['kruger', 'kurger', 'kopfmassage', 'siobahn']) {
      const found = (await other.json('GET', `/settings/search?q=${q}`)).body.data;
      expect([q, found.staff, found.services, found.similar_customers]).toEqual([q, [], [], []]);
    }
  });

  it('finds nothing of another business', async () => {
    const other = await world.newSalon({ customer: 'Zoe Quill' });
    const id = await other.booked();
    const { browser } = await world.newSalon();
    for (const q of ['Quill', `#${id}`, String(other.customer_id)]) {
      const { body } = await browser.json('GET', `/settings/search?q=${encodeURIComponent(q)}`);
      expect(body.data).toMatchObject({ appointment: null, call: null });
      expect(JSON.stringify(body.data)).not.toContain('Quill');
    }
  });

  it('goes on where a service is away', async () => {
    const on = await world.startSettings({ CRM_INTERNAL_URL: NOBODY });
    const { browser } = await world.signedIn({ on });
    const { status, page } = await browser.html('/settings/search?q=staff');
    expect([status, linksIn(page)]).toEqual([200, ['/settings/business/staff']]);
    expect(page).toContain('Customers can’t be shown right now');
  });
});
