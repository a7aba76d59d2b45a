import { z } from 'zod';

/** A part of an address. A form that is sent with GET sends empty the fields that nobody has filled in. */
export const unlessEmpty = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? undefined : value),
    schema.optional(),
  );

type Fields = Readonly<Record<string, string | number | undefined>>;

/** The fields that have a value, as text. */
export const textsIn = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

/** The address of a page, with the fields that have a value, and of a part of it: `/settings/api?page=2#deliveries`. */
export function addressOf(path: string, fields: Fields, part?: string): string {
  const query = new URLSearchParams(textsIn(fields)).toString();
  return `${path}${query && `?${query}`}${part === undefined ? '' : `#${part}`}`;
}

/** Nothing can fit: the last day is before the first one. */
export const isBackwards = ({ from, to }: { from?: string | undefined; to?: string | undefined }): boolean =>
  from !== undefined && to !== undefined && to < from;
