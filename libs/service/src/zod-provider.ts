import type { FieldErrors } from '@frontdesk/contracts';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchemaCompiler, FastifyTypeProvider } from 'fastify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import { z } from 'zod';
import { AppError, invalid } from './errors.ts';
import { listFaults } from './list-limits.ts';

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
function fieldErrors(
  error: z.ZodError,
  { schema, input, at }: { schema: z.core.$ZodType; input: unknown; at: PropertyKey[] },
): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of error.issues.slice(0, MAX_ISSUES)) {
    const field = [...at, ...issue.path].join('.');
    const key = field || 'body';
    const message = messageOf(issue, { field, value: valueAt(input, issue.path), schema });
    errors[key] = [...new Set([...(errors[key] ?? []), message])];
  }
  return errors;
}

function messageOf(
  issue: z.core.$ZodIssue,
  { field, value, schema }: { field: string; value: unknown; schema: z.core.$ZodType },
): string {
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
 * What a part of a body says by a schema, or its field errors; `at` is its place in the body. For bodies that are too long to be
 * parsed at once.
 */
export function parsePart<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  at: PropertyKey[] = [],
): { value: z.output<Schema>; errors?: never } | { errors: FieldErrors } {
  const result = schema.safeParse(input, { error: defaultMessage });
  return result.success
    ? { value: result.data }
    : { errors: fieldErrors(result.error, { schema, input, at }) };
}

/** Parses by zod, so that handlers see coerced values and defaults. A path that fails names no record: 404. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const fields = fieldsOf(schema);
  return (data: unknown) => {
    const input = data ?? {};
    const faults = httpPart === 'body' ? listFaults(input, fields) : null;
    if (faults) return { error: invalid(faults) };
    const { errors, ...parsed } = parsePart(schema, input);
    if (errors === undefined) return parsed;
    if (httpPart === 'params') return { error: new AppError('not_found', 'Not found.') };
    return { error: invalid(errors) };
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
 * `X or null` as a nullable X, which fast-json-stringify writes without running a validator over each value. A format is for those who
 * read the description: by one, whatever is no text would be written in another way.
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
