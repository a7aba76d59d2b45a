import { foldText, MAX_LENGTH, typedWords, typingErrors } from '@frontdesk/contracts';
import { z } from 'zod';
import { unlessEmpty } from '../ui/addresses.rules.ts';
import { mayUse, type Who } from '../ui/page-scopes.rules.ts';

/** What people type for an appointment or a call: its number, with or without a sign before it. */
const NUMBER = /^#?(\d{1,15})$/;

export const searchQuery = z.object({ q: unlessEmpty(z.string().max(MAX_LENGTH.search)) });

/** A page that can be gone to by its name. */
export interface NamedPage {
  href: string;
  name: string;
}

export const PAGES: readonly NamedPage[] = [
  { href: '/settings', name: 'Today' },
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
  { href: '/settings/statistics', name: 'Statistics' },
  { href: '/settings/audit', name: 'Audit log' },
  { href: '/settings/all', name: 'All settings' },
  { href: '/settings/account', name: 'Account' },
];

/** Pages with a word that begins like each word of the text; all of them without one. */
export function pagesNamed(text: string, who: Who): NamedPage[] {
  const wanted = wordsOf(text);
  return PAGES.filter(({ name, href }) => {
    if (!mayUse(who, 'GET', href)) return false;
    const words = wordsOf(name);
    return wanted.every((part) => words.some((word) => word.startsWith(part)));
  });
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Where fewer are found, similar names are looked for: who is meant may not be among them. */
const FEW_FOUND = 5;

/** Whether a text is looked for among similar names, beside so many that hold it. */
export const asksForSimilar = (text: string, found: number): boolean =>
  found <= FEW_FOUND && typedWords(text).length > 0;

interface Named {
  id: number;
  name: string;
  is_active: boolean;
}

/** A record of a short list that a text finds by its name. */
export interface NamedRecord {
  id: number;
  name: string;
  is_active: boolean;
  /** Its name is like the text, but doesn't hold it. */
  is_similar: boolean;
}

const MOST_RECORDS = 6;

/**
 * Records with the text in their names, active ones first; of those with a few typing errors between, the nearest,
 * where few have it.
 */
export function recordsNamed(records: readonly Named[], text: string): NamedRecord[] {
  const wanted = foldText(text).trim();
  if (wanted === '') return [];
  const named = (record: Named, is_similar: boolean): NamedRecord => ({
    id: record.id,
    name: record.name,
    is_active: record.is_active,
    is_similar,
  });
  const inOrder = records.toSorted(
    (one, other) => Number(other.is_active) - Number(one.is_active) || one.name.localeCompare(other.name),
  );
  const holding = inOrder.filter(({ name }) => foldText(name).includes(wanted));
  const typed = asksForSimilar(text, holding.length) ? typedWords(text) : [];
  const similar = inOrder
    .filter((record) => !holding.includes(record))
    .map((record) => ({ record, errors: typingErrors(typed, record.name) }))
    .filter(({ errors }) => errors !== null)
    .toSorted((one, other) => Number(one.errors) - Number(other.errors));
  return [
    ...holding.slice(0, MOST_RECORDS).map((record) => named(record, false)),
    ...similar.slice(0, MOST_RECORDS).map(({ record }) => named(record, true)),
  ];
}

/** Whether anybody can be found by it: nobody is called what crm doesn't even look for. */
export const isSearchable = (text: string): boolean => text.trim() !== '' && !text.includes('\0');

/** The number of a record, where the text is one. */
export function recordNumber(text: string): number | null {
  const [, digits] = NUMBER.exec(text.trim()) ?? [];
  return digits === undefined || Number(digits) === 0 ? null : Number(digits);
}
