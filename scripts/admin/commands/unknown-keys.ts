import { businessDocument } from '@frontdesk/contracts';
import { z } from 'zod';

/** Warns of the keys of a business file that are ignored. */
export function warnOfUnknownKeys(document: unknown): void {
  for (const key of unknownKeys(businessDocument, document))
    console.error(`warning: ${key} is no field of a business and is ignored.`);
}

/**
 * Where the value has keys that the schema doesn't know, as paths like `staff.3.houres`. What is in such a key isn't looked into;
 * keys that are data, like those of a record, are left to the parser of the value.
 */
export function unknownKeys(schema: z.core.$ZodType, value: unknown, path: readonly string[] = []): string[] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((entry, index) => unknownKeys(inner.element, entry, [...path, String(index)]));
  }
  if (!isObject(value)) return [];
  if (inner instanceof z.ZodObject) {
    const shape: Record<string, z.core.$ZodType> = inner.shape;
    return Object.entries(value).flatMap(([key, child]) => {
      const known = Object.hasOwn(shape, key) ? shape[key] : undefined;
      const here = [...path, key];
      return known ? unknownKeys(known, child, here) : [here.join('.')];
    });
  }
  if (inner instanceof z.ZodRecord) {
    return Object.entries(value).flatMap(([key, child]) =>
      unknownKeys(inner.valueType, child, [...path, key]),
    );
  }
  return [];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapper ? unwrapped(schema.unwrap()) : schema;
}
