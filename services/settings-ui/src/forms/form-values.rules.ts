import { z } from 'zod';
import { formInto } from './sent-form.rules.ts';

type Conversion = (value: unknown) => unknown;

const NUMBER = /^-?\d+(\.\d+)?$/;

const isText = (value: unknown): value is string => typeof value === 'string';

/** A number as people type it. What is none stays as it is, for the schema to refuse. */
export const typedNumber: Conversion = (value) => {
  if (!isText(value)) return value;
  const text = value.trim().replace(',', '.');
  return NUMBER.test(text) ? Number(text) : value;
};

/** Left empty: none. */
export const typedNumberOrNone: Conversion = (value) =>
  isText(value) && value.trim() === '' ? null : typedNumber(value);

export const typedTextOrNone: Conversion = (value) =>
  isText(value) && value.trim() === '' ? null : isText(value) ? value.trim() : value;

export const typedText: Conversion = (value) => (isText(value) ? value.trim() : value);

/** Browsers send line ends of their own; with those, notes that nobody touched would look changed. */
export const typedLines: Conversion = (value) =>
  typedTextOrNone(isText(value) ? value.replaceAll('\r\n', '\n') : value);

/** One of two radio buttons. */
export const typedFlag: Conversion = (value) => (value === 'true' ? true : value === 'false' ? false : value);

/** What is checked: none, one or several. */
export const listOf = (value: unknown): unknown[] => [value ?? []].flat();

/** Ids of what is checked. */
export const checkedIds: Conversion = (value) => listOf(value).map(typedNumber);

/** A list that is typed with commas between. */
export const typedList: Conversion = (value) =>
  isText(value)
    ? value
        .split(',')
        .map((text) => text.trim())
        .filter((text) => text !== '')
    : value;

/**
 * A contract's body, from a form too, which sends nothing but text: each field named here is converted before it is
 * judged. Numbers and lists that arrive as such, from programs, are left alone.
 */
export const fromForm = <Schema extends z.ZodType>(schema: Schema, conversions: Record<string, Conversion>) =>
  formInto({}, schema, (given) => {
    const converted = Object.entries(conversions).flatMap(([name, convert]) =>
      Object.hasOwn(given, name) ? [[name, convert(given[name])]] : [],
    );
    return { ...given, ...Object.fromEntries(converted) };
  });

/** The ETag of the record that a form shows. The change is refused where the record has another one by now. */
export const seenVersion = { version: z.string().max(200).optional() };

/** A change with nothing to enter; programs may send no body at all. */
export const plainBody = z.looseObject(seenVersion);
