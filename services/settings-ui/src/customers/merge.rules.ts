import {
  type Customer,
  type CustomerListEntry,
  foldText,
  MAX_LENGTH,
  mergeCustomerBody,
  queryId,
  textField,
} from '@frontdesk/contracts';
import { z } from 'zod';
import {
  fromForm,
  typedFlag,
  typedLines,
  typedNumber,
  typedText,
  typedTextOrNone,
} from '../forms/form-values.rules.ts';
import type { FormValues } from '../forms/sent-form.rules.ts';
import { unlessEmpty } from '../ui/addresses.rules.ts';

/** `with`: the other customer. `q`: whom people look for. */
export const mergeQuery = z.object({
  with: unlessEmpty(queryId),
  q: unlessEmpty(z.string().max(MAX_LENGTH.search)),
});

const MAX_TAG = 200;
/** Not empty: who means to name a version doesn't merge without one, as nobody can undo it. */
const seenTag = textField(MAX_TAG).min(1, 'The {field} field must not be empty.').optional();

/** What stays of two customers. `version` and `merged_version` are the ETags of both as the form showed them. */
export const mergeBody = fromForm(
  mergeCustomerBody.omit({ merged_if_match: true }).extend({ version: seenTag, merged_version: seenTag }),
  {
    merged_id: typedNumber,
    takes_phone: typedFlag,
    name: typedText,
    email: typedTextOrNone,
    pipeline_stage: typedTextOrNone,
    notes: typedLines,
  },
);

/** In the order of the page. */
const FIELDS = ['name', 'phone', 'email', 'segment', 'pipeline_stage', 'notes'] as const;

type MergedField = (typeof FIELDS)[number];

/** The customer who stays, the one who becomes part of them, or, of notes, both. */
export type Side = 'own' | 'other' | 'both';

interface Option {
  side: Side;
  /** What the form sends. */
  value: string;
  /** As the record has it; empty where it has none. */
  text: string;
}

/** A field that differs: one of its options stays. */
export interface MergeChoice {
  field: MergedField;
  /** The field of the form. */
  name: string;
  options: Option[];
  /** The value of the option that is marked. */
  chosen: string;
  /** One of the two records has another value than the form was drawn with. */
  isNew: boolean;
}

type Fields = Pick<Customer, MergedField>;

/** Browsers send line ends of their own. */
const withPlainEnds = (text: string) => text.replaceAll('\r\n', '\n');
const textOf = (customer: Fields, field: MergedField): string => withPlainEnds(customer[field] ?? '');

/** Whether it says nothing yet: of somebody who has called, and was never asked. */
const saysNothing = (field: MergedField, text: string): boolean =>
  text === '' || (field === 'segment' && text === 'lead') || (field === 'name' && !/\p{L}/u.test(text));

const holdsOther = (own: string, other: string) => own.includes(other) || other.includes(own);

/** Both notes, one below the other; null where one holds the other, or together they are too long. */
function bothNotes(own: string, other: string): string | null {
  const both = `${own}\n\n${other}`;
  return holdsOther(own, other) || !mergeCustomerBody.shape.notes.safeParse(both).success ? null : both;
}

/** Whether it is for their length that both notes can't be kept. */
export function areTooLong(options: readonly Option[]): boolean {
  const [own = '', other = ''] = options.map(({ text }) => text);
  return options.length === 2 && !holdsOther(own, other);
}

/** The number is not sent as such: both lead to the one who stays, and the form says which of them the record shows. */
const optionOf = (field: MergedField, side: Side, text: string): Option => ({
  side,
  value: field === 'phone' ? String(side === 'other') : text,
  text,
});

function optionsOf(field: MergedField, own: string, other: string): Option[] {
  const both = field === 'notes' ? bothNotes(own, other) : null;
  return [
    optionOf(field, 'own', own),
    optionOf(field, 'other', other),
    ...(both === null ? [] : [optionOf(field, 'both', both)]),
  ];
}

/** What the one who stays has, unless that says nothing; of notes, as much as there is. */
function preferredSide(field: MergedField, options: readonly Option[]): Side {
  const [own = '', other = ''] = options.map(({ text }) => text);
  if (options.some(({ side }) => side === 'both')) return 'both';
  const hasMore = field === 'notes' && other !== '' && other.includes(own);
  return hasMore || (saysNothing(field, own) && !saysNothing(field, other)) ? 'other' : 'own';
}

/**
 * The fields in which the two differ. `sent` is the form as it was sent, where it was: what was chosen stays so, as far as it is still there.
 * `drawn` is what it was drawn with (`drawnValues`).
 */
export function mergeChoices(
  own: Fields,
  other: Fields,
  { sent = {}, drawn = {} }: { sent?: FormValues; drawn?: FormValues } = {},
): MergeChoice[] {
  const now = drawnValues(own, other);
  return FIELDS.flatMap((field) => {
    const [mine, theirs] = [textOf(own, field), textOf(other, field)];
    if (field !== 'phone' && mine === theirs) return [];
    const name = field === 'phone' ? 'takes_phone' : field;
    const options = optionsOf(field, mine, theirs);
    const wanted = withPlainEnds([sent[name] ?? []].flat()[0] ?? '');
    const isThere = sent[name] !== undefined && options.some(({ value }) => value === wanted);
    const preferred = preferredSide(field, options);
    const before = drawn[field];
    return {
      field,
      name,
      options,
      chosen: isThere ? wanted : (options.find(({ side }) => side === preferred)?.value ?? ''),
      isNew: before !== undefined && JSON.stringify(before) !== JSON.stringify(now[field]),
    };
  });
}

/** What both have in common, as far as there is anything. */
export const commonFields = (own: Fields, other: Fields): { field: MergedField; text: string }[] =>
  FIELDS.map((field) => ({ field, text: textOf(own, field) })).filter(
    ({ field, text }) => field !== 'phone' && text !== '' && text === textOf(other, field),
  );

/** Both values of each field, for the form's field `drawn`. */
export const drawnValues = (own: Fields, other: Fields): FormValues =>
  Object.fromEntries(FIELDS.map((field) => [field, [textOf(own, field), textOf(other, field)]]));

/** Where a search for the same person begins: with the first two words, which a maiden name behind them doesn't hide. */
export const beginningOf = (name: string): string =>
  (/^[^\s-]+(?:[\s-]+[^\s-]+)?/u.exec(name.trim())?.[0] ?? '').slice(0, MAX_LENGTH.search);

/** What makes somebody look like the same person, the surest first. */
const SAMENESS = ['email', 'name', 'similar'] as const;

export type Sameness = (typeof SAMENESS)[number];

/** Somebody who may be the same person. */
export interface Candidate extends CustomerListEntry {
  sameness: Sameness;
}

const MOST_CANDIDATES = 8;

interface FoundPeople {
  /** By the customer's email, or a part of it. */
  byEmail: readonly CustomerListEntry[];
  byName: readonly CustomerListEntry[];
}

/** Those with the same email first, then those of the same name, then the others as they were found; each once. */
export function candidatesFor(customer: CustomerListEntry, { byEmail, byName }: FoundPeople): Candidate[] {
  const isSame = (one: string | null, other: string | null) =>
    one !== null && other !== null && foldText(one) === foldText(other);
  const others = [...byEmail.filter(({ email }) => isSame(email, customer.email)), ...byName]
    .filter(({ id }) => id !== customer.id)
    .map((one): Candidate => {
      const hasSameName = isSame(one.name, customer.name);
      const sameness = isSame(one.email, customer.email) ? 'email' : hasSameName ? 'name' : 'similar';
      return { ...one, sameness };
    });
  const distinct = [...new Map(others.map((one) => [one.id, one])).values()];
  return SAMENESS.flatMap((sameness) => distinct.filter((one) => one.sameness === sameness)).slice(
    0,
    MOST_CANDIDATES,
  );
}
