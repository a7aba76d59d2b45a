import type { CreateCustomer } from '@frontdesk/contracts';
import type { DemoBusiness } from './demo-business.ts';
import { createRandom } from './random.ts';

export const CUSTOMERS_PER_BUSINESS = 50;
/** Customers from this index on are leads, who have no appointments yet. */
export const FIRST_LEAD = 40;

const STAGES = ['contacted', 'offer_sent', 'follow_up'] as const;
const SOURCES = ['walk_in', 'phone', 'website', 'referral'] as const;
const NOTES = [
  'Prefers mornings.',
  'Please call, don’t write.',
  'Allergic to latex.',
  'Comes by bike, often early.',
];

/** The fifty customers of a business: always the same, every name once, every number from a fictional range. */
export function demoCustomers({ people, seed }: DemoBusiness): CreateCustomer[] {
  const random = createRandom(seed);
  const names = new Set<string>();
  while (names.size < CUSTOMERS_PER_BUSINESS) {
    names.add(`${random.pick(people.firstNames)} ${random.pick(people.lastNames)}`);
  }
  return [...names].map((name, index) => ({
    name,
    phone: people.phone(index),
    email: random.chance(0.85) ? `${slug(name)}@example.com` : null,
    segment: segmentOf(index),
    pipeline_stage: index >= FIRST_LEAD ? random.pick(STAGES) : null,
    notes: random.chance(0.2) ? random.pick(NOTES) : null,
    source: random.pick(SOURCES),
  }));
}

function segmentOf(index: number): CreateCustomer['segment'] {
  if (index < 6) return 'vip';
  if (index < 32) return 'active';
  return index < FIRST_LEAD ? 'inactive' : 'lead';
}

const slug = (name: string) =>
  name
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll('ø', 'o')
    .normalize('NFD')
    .replace(/[^a-zA-Z ]/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(' ', '.');
