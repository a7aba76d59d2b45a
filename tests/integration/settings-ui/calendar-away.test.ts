import { MONDAY } from '../scheduling/salon.ts';
import { startCalendarWorld } from './calendar-world.ts';
import { NOBODY } from './settings-world.ts';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
beforeAll(async () => {
  world = await startCalendarWorld();
});
afterAll(() => world.stop());

const CALENDAR = `/settings/calendar?date=${MONDAY}`;

describe('where a part is away', () => {
  const away = (name: string) => ({ [name]: NOBODY });
  const signedInTo = async (salon: { tenantId: number }, env: Record<string, string>) => {
    const on = await world.startSettings({ ...env });
    return (await world.signedIn({ tenantId: salon.tenantId, on })).browser;
  };

  it('scheduling: the page leads to other days; 503 for JSON clients', async () => {
    const salon = await world.newSalon();
    const browser = await signedInTo(salon, away('SCHEDULING_INTERNAL_URL'));
    const { status, page } = await browser.html(CALENDAR);
    expect(status).toBe(200);
    expect(page).toContain('This day can’t be shown right now');
    expect(page).toContain('/settings/calendar?date=2031-06-03');
    expect((await browser.json('GET', CALENDAR)).status).toBe(503);
  });

  it('crm: numbers stand in for names', async () => {
    const salon = await world.newSalon();
    const id = await salon.booked();
    const browser = await signedInTo(salon, away('CRM_INTERNAL_URL'));
    const { page } = await browser.html(CALENDAR);
    expect(page).toContain('Customer names can’t be shown right now');
    expect(page).toContain(`10:00 Customer ${salon.customer_id}, Haircut, until 11:00, Scheduled`);
    const details = await browser.html(`/settings/calendar/appointments/${id}`);
    expect([details.status, details.page.includes(`Customer ${salon.customer_id}`)]).toEqual([200, true]);
  });

  it('the gateway: the day is whole, in its zone', async () => {
    const salon = await world.newSalon();
    await salon.booked();
    const browser = await signedInTo(salon, away('GATEWAY_INTERNAL_URL'));
    const { page } = await browser.html(CALENDAR);
    expect(page).toContain('10:00 Mia Wong');
    expect(page).toContain('Times are in Europe/Berlin');
  });
});
