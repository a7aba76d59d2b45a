import type { AuditAction, AuditEntry } from './audit.rules.ts';
import { auditSubject } from './audit-subject.ts';

const AMERICA = { zone: 'America/New_York', country: 'US' };
const shown = (action: AuditAction, subject: string) =>
  String(auditSubject(AMERICA, { action, subject } as AuditEntry))
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s/gu, ' ');

it.each<[AuditAction, string, string]>([
  ['appointment_booked', '2031-06-02 14:00', 'Mon, Jun 2, 2031, 2:00 PM'],
  ['appointment_cancelled', 'Appointment 7, 2031-06-02 14:00', 'Appointment 7, Mon, Jun 2, 2031, 2:00 PM'],
  [
    'appointment_moved',
    'Appointment 7, 2031-06-02 14:00 → 2031-06-03 09:30',
    'Appointment 7, Mon, Jun 2, 2031, 2:00 PM → Tue, Jun 3, 2031, 9:30 AM',
  ],
  ['exception_saved', 'Anna, 2031-12-24', 'Anna, Wed, Dec 24, 2031'],
  ['time_off_added', 'Anna, 2031-06-02T00:00 to 2031-06-03T00:00', 'Anna, Mon, Jun 2, 2031'],
  [
    'replay_begun',
    'https://a.example: 2031-06-02T14:00:00.000Z – 2031-06-02T15:00:00.000Z',
    'https://a.example: Jun 2, 2031, 10:00 AM – Jun 2, 2031, 11:00 AM',
  ],
])('%s: dates and times are shown as the country writes them', (action, stored, expected) => {
  expect(shown(action, stored)).toBe(expected);
});

it('names stay as people chose them', () => {
  expect(shown('service_added', 'Sale 2031-99-99')).toBe('Sale 2031-99-99');
  expect(shown('exception_saved', '2031-99-99, 2031-12-24')).toBe('2031-99-99, Wed, Dec 24, 2031');
});
