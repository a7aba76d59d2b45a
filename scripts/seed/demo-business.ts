import {
  type BookingPolicy,
  type BusinessDocument,
  businessDocument,
  type Plan,
  type TimeSpan,
  type WeeklyHours,
} from '@frontdesk/contracts';
import type { z } from 'zod';
import type { CallLanguage } from './calls/script.ts';

/** What makes one demo business: the tenant, its services and staff, and where its customers' data comes from. */
export interface DemoBusiness {
  tenant: { name: string; plan: Plan; timezone: string; country: string; currency: string };
  /** Of a domain that is nobody's (RFC 2606). */
  adminEmail: string;
  document: BusinessDocument;
  /** What may be booked, once its past is there. */
  bookingPolicy: BookingPolicy;
  people: {
    firstNames: readonly string[];
    lastNames: readonly string[];
    /** The n-th phone number, 0–49, from ranges that are set aside for fiction: nobody's phone rings. */
    phone: (n: number) => string;
  };
  phone: {
    language: CallLanguage;
    /** The business's own number, and those of callers who are no customers; E.164, set aside for fiction too. */
    line: string;
    strangers: readonly string[];
  };
  /** Seed of all that is random about it. */
  seed: number;
}

/** A business document with what it leaves out filled in. */
export const documentOf = (document: z.input<typeof businessDocument>): BusinessDocument =>
  businessDocument.parse(document);

type Day = keyof WeeklyHours;

/** `'9-12:30,13-17'` → two spans with a break between them. */
function spans(text: string): TimeSpan[] {
  return text.split(',').map((span) => {
    const [start = '', end = ''] = span.split('-').map((time) => {
      const [hours = '', minutes = '00'] = time.split(':');
      return `${hours.padStart(2, '0')}:${minutes}`;
    });
    return { start, end };
  });
}

/** The same spans on each of these days. */
export function on(days: readonly Day[], text: string): WeeklyHours {
  return Object.fromEntries(days.map((day) => [day, spans(text)]));
}

/** Closed from the first of these dates to the last, each year from 2026 to 2030; both are `m-d`. */
export const everyYear = (first: string, last: string, note: string) =>
  [2026, 2027, 2028, 2029, 2030].map((year) => {
    const end = Temporal.PlainDate.from(`${year}-${last}`).add({ days: 1 });
    return { start: `${year}-${first}T00:00`, end: `${end}T00:00`, note };
  });
