import { type AppointmentRow, appointmentRecord, changeOf } from './appointment.rules.ts';

const row: AppointmentRow = {
  id: 1,
  customer_id: 2,
  service_id: 3,
  staff_id: 4,
  starts_at: new Date('2026-10-25T00:30:00Z'),
  ends_at: new Date('2026-10-25T01:30:00Z'),
  local_date: '2026-10-25',
  duration_minutes: 60,
  buffer_before_minutes: 0,
  buffer_after_minutes: 0,
  timezone: 'Europe/Berlin',
  status: 'scheduled',
  notes: 'window',
  source: 'api',
  price_minor: 4_550,
  currency: 'EUR',
  version: 1,
  created_at: new Date('2026-01-01T12:00:00Z'),
  updated_at: new Date('2026-01-01T12:00:00Z'),
  cancelled_at: null,
};

describe('the appointment record', () => {
  it('distinguishes the two passes of a repeated hour by their offset', () => {
    expect(appointmentRecord(row)).toMatchObject({
      appointment_time: '02:30',
      end_time: '02:30',
      starts_at: '2026-10-25T02:30:00+02:00',
      ends_at: '2026-10-25T02:30:00+01:00',
      price: 45.5,
    });
  });

  it.each([
    ['JPY', 4_500, 4_500],
    ['KWD', 4_575, 4.575],
    ['EUR', 1, 0.01],
  ])('gives money in %s with its own decimal places', (currency, price_minor, price) => {
    expect(appointmentRecord({ ...row, currency, price_minor }).price).toBe(price);
  });
});

describe('what a patch changes', () => {
  it('nothing where it says what is so already', () => {
    expect(changeOf(row, {}, 'Europe/Berlin')).toBeNull();
    expect(
      changeOf(
        row,
        {
          appointment_date: '2026-10-25',
          appointment_time: '02:30',
          staff_id: 4,
          notes: 'window',
        },
        'Europe/Berlin',
      ),
    ).toBeNull();
  });

  it('keeps what it does not name', () => {
    expect(changeOf(row, { appointment_time: '10:00' }, 'Europe/Berlin')).toEqual({
      status: 'scheduled',
      notes: 'window',
      wish: { date: '2026-10-25', time: '10:00', serviceId: 3, staffId: 4 },
    });
  });

  it('null clears notes and asks for anybody', () => {
    expect(changeOf(row, { notes: null, staff_id: null }, 'Europe/Berlin')).toMatchObject({
      notes: null,
      wish: { staffId: null },
    });
  });

  it('status and notes alone move nothing', () => {
    expect(changeOf(row, { status: 'no_show', notes: 'late' }, 'Europe/Berlin')).toEqual({
      status: 'no_show',
      notes: 'late',
      wish: null,
    });
  });
});
