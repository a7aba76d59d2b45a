import type { BusinessDocument, Plan, WeeklyHours } from '@frontdesk/contracts';

/** What makes one demo business: the tenant, its services and staff, and where its customers' data comes from. */
export interface DemoBusiness {
  tenant: { name: string; plan: Plan; timezone: string; country: string; currency: string };
  document: BusinessDocument;
  people: {
    firstNames: readonly string[];
    lastNames: readonly string[];
    /** The n-th phone number, 0–49, from ranges that are set aside for fiction: nobody's phone rings. */
    phone: (n: number) => string;
  };
  /** Seed of all that is random about it. */
  seed: number;
}

type Day = keyof WeeklyHours;
type Spans = NonNullable<WeeklyHours[Day]>;

/** `'9-12:30,13-17'` → two spans with a break between them. */
function spans(text: string): Spans {
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
