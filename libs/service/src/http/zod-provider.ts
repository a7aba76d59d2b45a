import {
  type FieldFault,
  type FieldFaults,
  type FieldReason,
  fieldReason,
  textOfFault,
} from '@frontdesk/contracts';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchemaCompiler, FastifyTypeProvider } from 'fastify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import { z } from 'zod';
import { AppError, invalid } from '../errors/app-error.ts';

/** Most entries of one list. */
const MAX_LIST_LENGTH = 10_000;
/** Most entries of all lists in a body together: enough for the document of a whole business. */
const MAX_ENTRIES = 100_000;

/**
 * The first of these fields whose lists are too long, as a field error; null where none is. Checked before zod, which would
 * parse every entry and report every wrong one before it counts them: a body of 1 MiB can have half a million.
 */
function listFaults(input: unknown, fields: readonly string[]): FieldFaults | null {
  if (typeof input !== 'object' || input === null) return null;
  let entries = 0;
  for (const field of fields) {
    const pending: unknown[] = Object.hasOwn(input, field) ? [input[field as keyof typeof input]] : [];
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value)) {
        entries += value.length;
        if (value.length > MAX_LIST_LENGTH || entries > MAX_ENTRIES)
          return { [field]: [`The ${field} field holds too many entries.`] };
      }
      for (const inner of Object.values(value)) pending.push(inner);
    }
  }
  return null;
}

/** Types requests and replies of a route by the zod schemas it declares. */
export interface ZodTypeProvider extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown;
  serializer: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown;
}

type JsonSchemaNode = Record<string, unknown> & { anyOf?: JsonSchemaNode[] };

/** The text for a field that zod finds fault with and whose schema brings no message of its own. */
const defaultMessage = (issue: { code?: string; expected?: unknown }): string => {
  if (issue.code !== 'invalid_type') return 'The {field} field is invalid.';
  const expected = issue.expected === 'int' ? 'integer' : String(issue.expected);
  return `The {field} field must be ${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}.`;
};

function valueAt(input: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    input,
  );
}

/** More would only make the answer large. */
const MAX_ISSUES = 100;

/**
 * One entry per failing field, from the first hundred issues; `{field}` in a schema's messages becomes the field's name, which
 * begins with `at`.
 */
function fieldFaults(
  error: z.ZodError,
  { schema, input, at }: { schema: z.core.$ZodType; input: unknown; at: PropertyKey[] },
): FieldFaults {
  const faults: FieldFaults = {};
  for (const issue of error.issues.slice(0, MAX_ISSUES)) {
    const field = [...at, ...issue.path].join('.');
    const key = field || 'body';
    const fault = faultOf(issue, { field, value: valueAt(input, issue.path), schema });
    const others = faults[key] ?? [];
    if (others.every((other) => textOfFault(other) !== textOfFault(fault))) faults[key] = [...others, fault];
  }
  return faults;
}

type IssueOf = { field: string; value: unknown; schema: z.core.$ZodType };

function faultOf(issue: z.core.$ZodIssue, of: IssueOf): FieldFault {
  const text = messageOf(issue, of);
  if (of.field === '') return text;
  const reason = boundOf(issue) ?? (isMissing(of) ? REQUIRED : kindOf(issue, of.schema));
  return reason === null ? text : { text, ...reason };
}

const REQUIRED: FieldReason = { reason: 'required' };

const isMissing = ({ value }: IssueOf) => value === undefined || value === null;

/** The bound that zod names, or the reason that `because` gave. */
function boundOf(issue: z.core.$ZodIssue): FieldReason | null {
  if (issue.code === 'custom') return fieldReason.safeParse(issue.params).data ?? null;
  if (issue.code === 'too_big' && issue.inclusive !== false)
    return { reason: MOST_OF[issue.origin] ?? 'too_high', most: Number(issue.maximum) };
  if (issue.code === 'too_small' && issue.inclusive !== false)
    return { reason: LEAST_OF[issue.origin] ?? 'too_low', least: Number(issue.minimum) };
  return null;
}

const MOST_OF: Record<string, 'too_long' | 'too_many'> = { string: 'too_long', array: 'too_many' };
const LEAST_OF: Record<string, 'too_short' | 'too_few'> = { string: 'too_short', array: 'too_few' };

const OF_CHOICES: readonly string[] = ['invalid_value', 'invalid_union', 'too_small', 'too_big'];

/** The reason for a value of the wrong type. */
function kindOf(issue: z.core.$ZodIssue, schema: z.core.$ZodType): FieldReason | null {
  // An id that can be none, too.
  if (OF_CHOICES.includes(issue.code)) return { reason: 'not_a_choice' };
  if (issue.code !== 'invalid_type') return null;
  const { expected, path } = issue;
  if (expected === 'string') return { reason: 'not_text' };
  if (expected === 'int') return { reason: 'not_whole_number' };
  if (expected !== 'number') return { reason: 'not_a_choice' };
  const field = fieldAt(schema, path);
  return {
    reason: field && unwrapped(field) instanceof z.ZodNumberFormat ? 'not_whole_number' : 'not_number',
  };
}

function messageOf(issue: z.core.$ZodIssue, { field, value, schema }: IssueOf): string {
  if (field === '') return 'The request body must be a JSON object.';
  if (value !== undefined && value !== null) return issue.message.replaceAll('{field}', field);
  const known = value === null && issue.code !== 'custom' ? fieldAt(schema, issue.path) : undefined;
  // Where a field may be left out, null is not a value that is missing, but one that it can't have.
  if (!(known instanceof z.ZodOptional || known instanceof z.ZodDefault))
    return `The ${field} field is required.`;
  return unwrapped(known) instanceof z.ZodUndefined ? issue.message : `The ${field} field cannot be null.`;
}

/** The schema of what stands at this path. */
function fieldAt(schema: z.core.$ZodType, path: PropertyKey[]): z.core.$ZodType | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray) return fieldAt(inner.element, rest);
  if (inner instanceof z.ZodIntersection)
    return fieldAt(inner.def.left, path) ?? fieldAt(inner.def.right, path);
  if (inner instanceof z.ZodPipe) return fieldAt(inner.def.in, path) ?? fieldAt(inner.def.out, path);
  if (!(inner instanceof z.ZodObject) || !Object.hasOwn(inner.shape, key)) return undefined;
  return fieldAt(inner.shape[key as string], rest);
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapper ? unwrapped(schema.unwrap()) : schema;
}

/** The fields that a schema knows, also where several make it up or a form's is converted into it. */
export function fieldsOf(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodIntersection)
    return [...fieldsOf(schema.def.left), ...fieldsOf(schema.def.right)];
  if (schema instanceof z.ZodPipe) return [...fieldsOf(schema.def.in), ...fieldsOf(schema.def.out)];
  return [];
}

/**
 * Parses a part of a body, for bodies that are too long to be parsed at once. `at` is its place in the body.
 * @returns the value, or what is wrong with its fields
 */
export function parsePart<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  at: PropertyKey[] = [],
): { value: z.output<Schema>; faults?: never } | { faults: FieldFaults } {
  const result = schema.safeParse(input, { error: defaultMessage });
  return result.success
    ? { value: result.data }
    : { faults: fieldFaults(result.error, { schema, input, at }) };
}

/** Parses by zod, so that handlers see coerced values and defaults. A path that fails names no record: 404. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const fields = fieldsOf(schema);
  return (data: unknown) => {
    const input = data ?? {};
    const tooMany = httpPart === 'body' ? listFaults(input, fields) : null;
    if (tooMany) return { error: invalid(tooMany) };
    const { faults, ...parsed } = parsePart(schema, input);
    if (faults === undefined) return parsed;
    if (httpPart === 'params') return { error: new AppError('not_found', 'Not found.') };
    return { error: invalid(faults) };
  };
};

/** Replies leave through fast-json-stringify, compiled once from the zod schema; fields it doesn't name are dropped. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema }) => {
  const jsonSchema = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema: node }) => simplify(node as JsonSchemaNode),
  });
  return fastJsonStringify(jsonSchema as Parameters<typeof fastJsonStringify>[0]);
};

/**
 * Writes `X or null` as a nullable X, for which fast-json-stringify runs no validator over each value. Removes formats, which are for
 * readers of the description: fast-json-stringify would write a Date by them in another way.
 */
function simplify(node: JsonSchemaNode): void {
  delete node.propertyNames;
  const [first, second, ...rest] = node.anyOf ?? [];
  if (first && second?.type === 'null' && rest.length === 0) {
    delete node.anyOf;
    Object.assign(node, first, { nullable: true });
  }
  delete node.format;
}
