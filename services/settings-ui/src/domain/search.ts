import { z } from 'zod';
import { unlessEmpty } from './shared/addresses.ts';

export const SEARCH = '/settings/search';
const MAX_LENGTH = 200;
/** What people type for an appointment or a call: its number, with or without a sign before it. */
const NUMBER = /^#?(\d{1,15})$/;

export const searchQuery = z.object({ q: unlessEmpty(z.string().max(MAX_LENGTH)) });

/** A page that can be gone to by its name. */
export interface NamedPage {
  href: string;
  name: string;
}

export const PAGES: readonly NamedPage[] = [
  { href: '/settings', name: 'Overview' },
  { href: '/settings/calendar', name: 'Calendar' },
  { href: '/settings/calendar/book', name: 'Book an appointment' },
  { href: '/settings/customers', name: 'Customers' },
  { href: '/settings/customers/new', name: 'Add a customer' },
  { href: '/settings/calls', name: 'Calls' },
  { href: '/settings/calls/missed', name: 'Missed callers to call back' },
  { href: '/settings/calls/sources', name: 'Call sources' },
  { href: '/settings/business', name: 'Business: profile and booking rules' },
  { href: '/settings/business/services', name: 'Services' },
  { href: '/settings/business/staff', name: 'Staff' },
  { href: '/settings/business/opening-hours', name: 'Opening hours' },
  { href: '/settings/api', name: 'API keys, webhooks and deliveries' },
  { href: '/settings/api/docs', name: 'Documentation of the API' },
  { href: '/settings/people', name: 'People' },
  { href: '/settings/audit', name: 'Audit log' },
  { href: '/settings/account', name: 'Account' },
];

/** Pages with a word that begins like each word of the text; all of them without one. */
export function pagesNamed(text: string): NamedPage[] {
  const wanted = wordsOf(text);
  return PAGES.filter(({ name }) => {
    const words = wordsOf(name);
    return wanted.every((part) => words.some((word) => word.startsWith(part)));
  });
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Whether anybody can be found by it: nobody is called what crm doesn't even look for. */
export const isSearchable = (text: string): boolean => text.trim() !== '' && !text.includes('\0');

/** The number of a record, where the text is one. */
export function recordNumber(text: string): number | null {
  const [, digits] = NUMBER.exec(text.trim()) ?? [];
  return digits === undefined || Number(digits) === 0 ? null : Number(digits);
}
