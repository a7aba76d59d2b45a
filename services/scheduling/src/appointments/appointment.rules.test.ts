import { type AppointmentRow, appointmentRecord, changeOf, patchFaults } from './appointment.rules.ts';

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
  arrived_at: null,
  cancellation_reason: null,
};
const ZONE = 'Europe/Berlin';
const ARRIVED = { ...row, arrived_at: new Date('2026-10-25T00:20:00Z') };
const CANCELLED: AppointmentRow = {
  ...row,
  status: 'cancelled',
  cancelled_at: new Date('2026-10-20T00:00:00Z'),
  cancellation_reason: 'Ill',
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
      terms: {
        id: 3,
        durationMinutes: 60,
        bufferBeforeMinutes: 0,
        bufferAfterMinutes: 0,
        priceMinor: 4_550,
        currency: 'EUR',
      },
      isArrived: false,
      cancellationReason: null,
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
    expect(changeOf(row, { status: 'no_show', notes: 'late' }, 'Europe/Berlin')).toMatchObject({
      status: 'no_show',
      notes: 'late',
      wish: null,
    });
  });
});

describe('length and price', () => {
  it('of its own service change its terms, and move nothing', () => {
    expect(changeOf(row, { duration_minutes: 90, price: 50 }, ZONE)).toMatchObject({
      terms: { id: 3, durationMinutes: 90, priceMinor: 5_000 },
      wish: null,
    });
    expect(changeOf(row, { duration_minutes: 60, price: 45.5 }, ZONE)).toBeNull();
  });

  it('of another service go with the wish for it', () => {
    const patch = { service_id: 9, duration_minutes: 90, price: 50 };
    expect(changeOf(row, patch, ZONE)?.wish).toMatchObject({ serviceId: 9, durationMinutes: 90, price: 50 });
    expect(changeOf(row, { service_id: 9 }, ZONE)?.wish).not.toHaveProperty('durationMinutes');
  });

  it('a price is an amount of the currency', () => {
    expect(patchFaults(row, { price: 4.555 })).toEqual({
      price: [expect.objectContaining({ reason: 'not_amount', currency: 'EUR' })],
    });
    expect(patchFaults(row, { price: 0 })).toEqual({});
  });
});

describe('an arrival', () => {
  it('is set and cleared, and again the same changes nothing', () => {
    expect(changeOf(row, { arrived: true }, ZONE)).toMatchObject({ isArrived: true, wish: null });
    expect(changeOf(ARRIVED, { arrived: false }, ZONE)).toMatchObject({ isArrived: false });
    expect(changeOf(ARRIVED, { arrived: true }, ZONE)).toBeNull();
    expect(changeOf(row, { arrived: false }, ZONE)).toBeNull();
  });

  it.each([
    ['completed', true],
    ['cancelled', false],
    ['no_show', false],
  ] as const)('entering %s leaves it at %s', (status, isArrived) => {
    expect(changeOf(ARRIVED, { status }, ZONE)).toMatchObject({ status, isArrived });
  });

  it('is refused where the slot is given up', () => {
    expect(Object.keys(patchFaults(row, { status: 'no_show', arrived: true }))).toEqual(['arrived']);
    expect(Object.keys(patchFaults(CANCELLED, { arrived: true }))).toEqual(['arrived']);
    expect(patchFaults(CANCELLED, { arrived: false })).toEqual({});
    expect(patchFaults(CANCELLED, { status: 'scheduled', arrived: true })).toEqual({});
  });

  it('that an earlier release left at another status counts for nothing', () => {
    const left = { ...CANCELLED, arrived_at: ARRIVED.arrived_at };
    expect(changeOf(left, {}, ZONE)).toBeNull();
    expect(changeOf(left, { status: 'scheduled' }, ZONE)).toMatchObject({ isArrived: false });
  });
});

describe('the reason of a cancellation', () => {
  it('is taken with it, and after it', () => {
    const cancellation = { status: 'cancelled', cancellation_reason: ' Ill ' } as const;
    expect(changeOf(row, cancellation, ZONE)).toMatchObject({ cancellationReason: 'Ill' });
    expect(changeOf(CANCELLED, { cancellation_reason: 'Away' }, ZONE)).toMatchObject({
      cancellationReason: 'Away',
    });
    expect(changeOf(CANCELLED, { cancellation_reason: 'Ill' }, ZONE)).toBeNull();
  });

  it.each(['', '  ', null])('%j clears it', (cancellation_reason) => {
    expect(changeOf(CANCELLED, { cancellation_reason }, ZONE)).toMatchObject({ cancellationReason: null });
    expect(patchFaults(row, { cancellation_reason })).toEqual({});
  });

  it('goes when the appointment is restored, and is refused of any other status', () => {
    expect(changeOf(CANCELLED, { status: 'scheduled' }, ZONE)).toMatchObject({ cancellationReason: null });
    expect(changeOf(CANCELLED, { notes: 'x' }, ZONE)).toMatchObject({ cancellationReason: 'Ill' });
    expect(Object.keys(patchFaults(row, { cancellation_reason: 'Ill' }))).toEqual(['cancellation_reason']);
    expect(Object.keys(patchFaults(CANCELLED, { status: 'scheduled', cancellation_reason: 'Ill' }))).toEqual([
      'cancellation_reason',
    ]);
  });
});
