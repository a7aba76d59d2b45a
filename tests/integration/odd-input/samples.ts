import { z } from 'zod';

/** As much of JSON Schema as zod writes. */
export interface JsonSchemaNode {
  /** Several: of what may be null, where its form says no more than its type. */
  type?: string | string[];
  properties?: Record<string, JsonSchemaNode>;
  items?: JsonSchemaNode;
  anyOf?: JsonSchemaNode[];
  oneOf?: JsonSchemaNode[];
  allOf?: JsonSchemaNode[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
}

export const jsonSchemaOf = (schema: z.ZodType): JsonSchemaNode =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchemaNode;

let made = 0;
const unique = (make: (n: number) => unknown) => () => {
  made += 1;
  return make(made);
};

/** Values of fields whose form a schema tells by more than their type; one more that is taken where nobody else has it. */
const SAMPLES: Readonly<Record<string, () => unknown>> = {
  name: unique((n) => `Name ${n}`),
  phone: unique((n) => `+4930${9_000_000 + n}`),
  from_number: () => '+493023125001',
  email: unique((n) => `somebody${n}@example.com`),
  date: () => '2031-03-03',
  date_to: () => '2031-03-05',
  from_date: () => '2031-03-03',
  to_date: () => '2031-03-05',
  appointment_date: () => '2031-03-03',
  appointment_time: () => '10:00',
  start: () => '09:00',
  end: () => '17:00',
  starts_at: () => '2031-03-03T10:00:00Z',
  ends_at: () => '2031-03-03T11:00:00Z',
  from: () => '2031-03-03T10:00:00Z',
  to: () => '2031-03-04T10:00:00Z',
  updated_since: () => '2031-03-03T10:00:00Z',
  timezone: () => 'Europe/Berlin',
  currency: () => 'EUR',
  country: () => 'DE',
  url: () => 'https://example.com/hook',
  provider: () => 'generic',
  events: () => ['appointment.created'],
  secret: () => null,
  /** How a PNG begins. */
  base64: () => 'iVBORw0KGgo=',
  services: () => [],
  staff: () => [],
};

/** A value that the schema may well take. */
export function sampleOf(node: JsonSchemaNode, name = ''): unknown {
  const known = SAMPLES[name];
  if (known) return known();
  const variants = node.anyOf ?? node.oneOf ?? node.allOf;
  if (variants) return sampleOf(variants.find(({ type }) => type !== 'null') ?? {}, name);
  if (node.const !== undefined) return node.const;
  if (node.enum) return node.enum[0];
  switch ([node.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(node.properties ?? {}).map(([field, own]) => [field, sampleOf(own, field)]),
      );
    case 'array':
      return node.items ? [sampleOf(node.items)] : [];
    case 'integer':
    case 'number':
      return Math.max(1, node.minimum ?? 1);
    case 'boolean':
      return false;
    default:
      return 'a';
  }
}

export interface Field {
  path: (string | number)[];
  /** Of JSON; null where the schema takes any. */
  types: ReadonlySet<string> | null;
}

/** Every field of an object, at any depth, that a schema knows. */
export function fieldsOf(node: JsonSchemaNode, path: Field['path'] = []): Field[] {
  const inner = [node, ...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])];
  return inner.flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([name, own]) => {
      const here = [...path, name];
      return [{ path: here, types: typesOf(own) }, ...fieldsOf(own, here)];
    }),
    ...(items ? [{ path: [...path, 0], types: typesOf(items) }, ...fieldsOf(items, [...path, 0])] : []),
  ]);
}

function typesOf(node: JsonSchemaNode): ReadonlySet<string> | null {
  const variants = node.anyOf ?? node.oneOf;
  if (variants) {
    const all = variants.map(typesOf);
    return all.includes(null) ? null : new Set(all.flatMap((types) => [...(types ?? [])]));
  }
  if (node.enum) return new Set(node.enum.map(typeOfJson));
  if (node.const !== undefined) return new Set([typeOfJson(node.const)]);
  if (!node.type) return null;
  return new Set([node.type].flat().map((type) => (type === 'integer' ? 'number' : type)));
}

export const typeOfJson = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

const MARK = '"@@"';

/** The JSON text of a sample with other JSON at a path; null where the sample has no such place. */
export function withJsonAt(sample: unknown, path: Field['path'], json: string): string | null {
  const copy = structuredClone(sample);
  const [last = '', ...parents] = path.toReversed();
  let place = copy as Record<string | number, unknown> | undefined;
  for (const name of parents.toReversed()) place = place?.[name] as typeof place;
  if (typeof place !== 'object' || place === null) return null;
  place[last] = JSON.parse(MARK);
  return JSON.stringify(copy).replace(MARK, () => json);
}
