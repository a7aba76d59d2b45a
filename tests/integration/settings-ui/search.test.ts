import { startCalendarWorld } from './calendar-world.ts';

type World = Awaited<ReturnType<typeof startCalendarWorld>>;

let world: World;
beforeAll(async () => {
  world = await startCalendarWorld();
});
afterAll(() => world.stop());

/** Names and addresses of what the page lists, in its order. */
const linksIn = (page: string): string[] =>
  [...page.slice(page.indexOf('id="found"')).matchAll(/<li><a href="([^"]*)"/g)].map(([, href = '']) => href);

describe('the search', () => {
  it('finds customers by name, email or number with what is theirs, appointments by number, and pages by name', async () => {
    const { browser, booked, customer_id } = await world.newSalon({ customer: 'Mia <b>Wong</b>' });
    const id = await booked();
    const found = async (q: string) => {
      const { page } = await browser.html(`/settings/search?q=${encodeURIComponent(q)}`);
      expect(page).not.toContain('<b>Wong');
      return linksIn(page);
    };
    const theirs = [`/settings/customers/${customer_id}`, `/settings/calendar/appointments/${id}`];
    expect(await found('wong')).toEqual(theirs);
    expect(await found('901820')).toEqual(theirs);
    expect(await found(`#${id}`)).toContain(`/settings/calendar/appointments/${id}`);
    expect(await found('opening')).toEqual(['/settings/business/opening-hours']);
    expect(await found('')).toContain('/settings/audit');
    expect(await found('nothing like it')).toEqual([]);

    const { body } = await browser.json('GET', '/settings/search?q=wong');
    expect(body.data).toEqual({
      ...{ pages: [], appointment: null, call: null },
      customers: [expect.objectContaining({ id: customer_id, name: 'Mia <b>Wong</b>' })],
    });
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
    const { browser } = await world.signedIn();
    const { status, page } = await browser.html('/settings/search?q=staff');
    expect([status, linksIn(page)]).toEqual([200, ['/settings/business/staff']]);
    expect(page).toContain('Customers can’t be shown right now');
  });
});
