import {
  ALL_SCOPES,
  bookabilitySchema,
  ROLE_SCOPES,
  type ServiceBookability,
  type StaffBookability,
} from '@frontdesk/contracts';
import { bookabilityNotice, serviceState, staffState } from './bookability.view.ts';

const { services, staff } = bookabilitySchema.shape;
const serviceObstacles = services.element.shape.obstacle.unwrap().options;
const staffObstacles = staff.element.shape.obstacle.unwrap().options;

const OWNER = { scopes: ALL_SCOPES };
const haircut = { id: 2, name: 'Haircut', is_active: true };
const anna = { id: 7, name: 'Anna', is_active: true };
const entryOf = (obstacle: ServiceBookability['obstacle'], staff_ids = [7]): ServiceBookability => ({
  id: 2,
  name: 'Haircut',
  obstacle,
  staff_ids,
});
const ofService = (obstacle: ServiceBookability['obstacle']) =>
  String(serviceState(OWNER, haircut, { obstacle: null, services: [entryOf(obstacle)], staff: [] }));
const ofStaff = (obstacle: StaffBookability['obstacle']) =>
  String(
    staffState(OWNER, anna, { obstacle: null, services: [], staff: [{ id: 7, name: 'Anna', obstacle }] }),
  );

it.each(serviceObstacles.filter((obstacle) => obstacle !== 'inactive'))(
  'a service with the obstacle %s is not bookable, with the reason and a link',
  (obstacle) => {
    expect(ofService(obstacle)).toMatch(/Not bookable.*\. <a href="\/settings\/business[^"]*">/);
  },
);

it.each(staffObstacles.filter((obstacle) => obstacle !== 'inactive'))(
  'a staff member with the obstacle %s is not bookable, with the reason and a link',
  (obstacle) => {
    expect(ofStaff(obstacle)).toMatch(/Not bookable.*\. <a href="\/settings\/business[^"]*">/);
  },
);

it('says bookable only of what is, and nothing where scheduling is away', () => {
  expect([ofService(null), ofStaff(null)].map((text) => text.includes('>Bookable<'))).toEqual([true, true]);
  expect(String(serviceState(OWNER, haircut, null))).not.toMatch(/ookable/);
  expect(String(serviceState(OWNER, { ...haircut, is_active: false }, null))).toContain('Inactive');
});

describe('the notice', () => {
  it('lists services that one step cures together, and the first three reasons', () => {
    const without = ['Cut', 'Dye'].map((name, id) => ({ ...entryOf('no_opening_hours'), id, name }));
    const alone = [3, 4, 5].map((id) => ({ ...entryOf('nobody_performs'), id, name: `Service ${id}` }));
    const notice = String(
      bookabilityNotice(OWNER, { obstacle: 'none_bookable', services: [...without, ...alone], staff: [] }),
    );
    expect(notice).toContain('No service can be booked.');
    expect(notice).toContain('Cut, Dye: the business has no opening hours.');
    expect(notice.match(/<li>/g)).toHaveLength(4);
    expect(notice).toContain('1 more');
  });

  it('leads to the hours of the only one who offers a service, else to all staff', () => {
    const noticeFor = (staff_ids: number[]) =>
      String(
        bookabilityNotice(OWNER, { obstacle: null, services: [entryOf('no_hours', staff_ids)], staff: [] }),
      );
    expect(noticeFor([7])).toContain('href="/settings/business/staff/7#hours"');
    expect(noticeFor([7, 8])).toContain('href="/settings/business/staff"');
  });

  it('is none where everything can be booked, or scheduling is away', () => {
    expect(bookabilityNotice(OWNER, { obstacle: null, services: [entryOf(null)], staff: [] })).toBe(false);
    expect(bookabilityNotice(OWNER, { obstacle: null, services: [entryOf('inactive')], staff: [] })).toBe(
      false,
    );
    expect(bookabilityNotice(OWNER, null)).toBe(false);
  });

  it('says of an empty business, or one of inactive services, what comes first', () => {
    const noticeOf = (obstacle: 'no_services' | 'all_inactive') =>
      String(bookabilityNotice(OWNER, { obstacle, services: [], staff: [] }));
    expect(noticeOf('no_services')).toContain('Add a service');
    expect(noticeOf('all_inactive')).toContain('Activate one');
  });

  it('names no cure to whoever may not apply it', () => {
    const viewer = { scopes: ROLE_SCOPES.viewer };
    for (const obstacle of ['no_services', 'all_inactive', 'none_bookable'] as const) {
      const bookability = { obstacle, services: [entryOf('no_opening_hours')], staff: [] };
      expect(String(bookabilityNotice(viewer, bookability))).toMatch(/can be booked(?![\s\S]*<a )/);
      expect(String(serviceState(viewer, haircut, bookability))).toMatch(/Not bookable(?![\s\S]*<a )/);
    }
  });
});
