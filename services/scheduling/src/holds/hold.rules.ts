import { type DayHold, type Hold, MAX_OPEN_HOLDS } from '@frontdesk/contracts';
import { localTime } from '@frontdesk/local-time';
import { AppError, type Identity } from '@frontdesk/service';
import { type AppointmentRow, placeRecord } from '../appointments/appointment.rules.ts';

/** A row of appointments that was made as a hold. Nobody has it while `customer_id` is null. */
export interface HoldRow extends Omit<AppointmentRow, 'customer_id' | 'status'> {
  customer_id: number | null;
  status: AppointmentRow['status'] | 'held' | 'expired';
  held_until: Date;
  /** Held, and its time is not over, by the database's clock. */
  is_open: boolean;
}

/** An appointment is `booked`, whatever has become of it since. */
const holdStatus = ({ customer_id, is_open }: HoldRow): Hold['status'] => {
  if (customer_id !== null) return 'booked';
  return is_open ? 'open' : 'expired';
};

export const holdRecord = (row: HoldRow): Hold => ({
  id: row.id,
  ...placeRecord(row),
  status: holdStatus(row),
  expires_at: row.held_until.toISOString(),
});

/** An open hold, as a calendar shows it. */
export interface DayHoldRow {
  id: number;
  resource_id: number;
  starts_at: Date;
  ends_at: Date;
  buffer_before_minutes: number;
  buffer_after_minutes: number;
  held_until: Date;
  service_name: string;
}

export const dayHoldRecord = (row: DayHoldRow, timezone: string): DayHold => ({
  id: row.id,
  service_name: row.service_name,
  starts_at: localTime(row.starts_at.getTime(), timezone).iso,
  ends_at: localTime(row.ends_at.getTime(), timezone).iso,
  buffer_before_minutes: row.buffer_before_minutes,
  buffer_after_minutes: row.buffer_after_minutes,
  expires_at: row.held_until.toISOString(),
});

/** Who may have a bounded number of open holds: a key, or one call of a call source. */
export interface Holder {
  kind: 'key' | 'call';
  id: string;
}

/** What its ETag is made of beside its version. */
export const shownOf = (row: HoldRow) => ({ status: holdStatus(row) });

/** Requests without a key share one bound. */
export const holderOf = ({ keyId }: Identity): Holder => ({ kind: 'key', id: String(keyId ?? 0) });

/** As the row has it. */
export const holderText = ({ kind, id }: Holder): string => `${kind}:${id}`;

/** Open holds: of the whole business, and of the holder. */
export interface OpenCounts {
  ofBusiness: number;
  ofHolder: number;
}

/** @throws AppError `quota_exceeded` */
export function requireFewHolds({ kind }: Holder, { ofBusiness, ofHolder }: OpenCounts): void {
  const bounds = [
    { open: ofBusiness, allowed: MAX_OPEN_HOLDS.business, whose: 'business' },
    { open: ofHolder, allowed: MAX_OPEN_HOLDS[kind], whose: kind },
  ];
  const full = bounds.find(({ open, allowed }) => open >= allowed);
  if (full === undefined) return;
  const message = `This ${full.whose} has ${full.open} open holds, and may have ${full.allowed}. Book one, give one back, or wait until one expires.`;
  throw new AppError('quota_exceeded', message, { isPassing: true });
}
