import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import type { RouteOptions } from 'fastify';
import type { z } from 'zod';
import {
  isUnicode,
  jsonObject,
  LARGE_VALUES,
  ODD_BODIES,
  ODD_VALUES,
  type OddValue,
  oddFormFields,
} from '../../support/odd-values.ts';
import { fieldsOf, type JsonSchemaNode, jsonSchemaOf, sampleOf, typeOfJson, withJsonAt } from './samples.ts';

/** `all` sends every odd value to every field, which takes an hour; otherwise some, other ones each time. */
const SENDS_ALL = process.env.ODD_INPUT === 'all';
const SOME = 4;
/** A file that runs as a whole chooses the same ones for the same seed. */
let seed = Number(process.env.ODD_SEED || randomInt(1_000_000));
if (!SENDS_ALL) process.stderr.write(`Odd values are chosen with ODD_SEED=${seed}\n`);

export interface OddRequest {
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body?: string;
  /** What it has to be answered with; undefined where anything but a fault of ours will do. */
  status?: number;
}

/** All of them, or some at random. */
export const some = <Item>(items: readonly Item[], count = SOME): readonly Item[] =>
  SENDS_ALL || items.length === 0
    ? items
    : fc.sample(fc.constantFrom(...items), { seed: seed++, numRuns: count, unbiased: true });

const PLAIN: OddValue[] = ['null', 'true', '1', '"a\\u0000"', '[]', '{}'].map((json) => ({
  name: json,
  json,
}));
const ODD_TEXTS = ODD_VALUES.map(({ json }) => JSON.parse(json)).filter((value) => typeof value === 'string');
const ODD_HEADERS = [
  '',
  ' ',
  '*',
  ',',
  '"',
  '"1", "2"',
  'W/"1"',
  '0',
  '[object Object]',
  '__proto__',
  '%00',
].concat(...['\xff', '00-0-0-00', 'x'.repeat(6_000), '"a",'.repeat(1_500), '{"isEscaped":true}']);
const HEADERS = [
  'idempotency-key',
  'if-match',
  'if-none-match',
  'x-request-id',
  'traceparent',
  'accept',
].concat(...['accept-encoding', 'content-encoding', 'x-forwarded-for', 'authorization', 'x-api-key']);
const OTHER_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/html',
  '*/*',
].concat(
  ...['application/json; charset=odd', 'application/json5', 'constructor', '/', 'application/octet-stream'],
);
const JSON_TYPE = { 'content-type': 'application/json' };

const parsed = (json: string): { value: unknown } | null => {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return null;
  }
};

/** Odd requests to a route: each is a good one but for one thing. `ids` fill in its path. */
export function oddRequestsTo(route: RouteOptions, ids: Readonly<Record<string, string>>): OddRequest[] {
  const method = String(route.method);
  const pathWith = (own: Readonly<Record<string, string>> = {}) =>
    route.url.replace(/:(\w+)/g, (_all, name: string) => own[name] ?? ids[name] ?? '1');
  const { body, querystring } = (route.schema ?? {}) as { body?: z.ZodType; querystring?: z.ZodType };
  const good = (): OddRequest => ({
    method,
    path: pathWith(),
    headers: {},
    ...(body && { headers: JSON_TYPE, body: JSON.stringify(sampleOf(jsonSchemaOf(body))) }),
  });
  const withQuery = (query: string): OddRequest => ({ ...good(), path: `${pathWith()}?${query}` });

  return [
    good(),
    ...[...route.url.matchAll(/:(\w+)/g)].flatMap(([, name = '']) =>
      some([...ODD_TEXTS, 'x'.repeat(10_000)])
        .map((text) => encodeURIComponent(text.toWellFormed()))
        .concat('%', '%00', '%ff')
        .map((text) => ({ ...good(), path: pathWith({ [name]: text }) })),
    ),
    ...some(HEADERS).flatMap((name) =>
      some(ODD_HEADERS, 2).map((value) => ({ ...good(), headers: { ...good().headers, [name]: value } })),
    ),
    ...oddQueries(querystring).map(withQuery),
    ...(body ? oddBodies(jsonSchemaOf(body)).map((odd) => ({ ...good(), ...odd })) : []),
  ];
}

function oddQueries(querystring: z.ZodType | undefined): string[] {
  const fields = Object.keys((querystring && jsonSchemaOf(querystring).properties) ?? {});
  const names = [...fields, '__proto__', 'constructor', 'toString', 'unknown'];
  return names
    .flatMap((name) => some(oddFormFields(name)).filter((query) => query.length < 10_000))
    .concat('%', '&&==');
}

function oddBodies(schema: JsonSchemaNode): Pick<OddRequest, 'headers' | 'body' | 'status'>[] {
  const headers = JSON_TYPE;
  const sample = () => sampleOf(schema);
  const fields = fieldsOf(schema);

  const ofField = ({ path, types }: (typeof fields)[number], { json }: OddValue) => {
    const body = withJsonAt(sample(), path, json);
    if (body === null) return [];
    const isWrong = types !== null && !types.has(typeOfJson(JSON.parse(json)));
    const isText = isUnicode(json);
    return [{ headers, body, ...((isWrong || !isText) && { status: isText ? 422 : 400 }) }];
  };
  const ofBody = ({ json }: OddValue) => {
    const read = parsed(json);
    if (json !== '' && (!read || !isUnicode(json))) return { headers, body: json, status: 400 };
    // Null says as little as no body: what every field may be left out of takes both.
    const isNothing = json === '' || json === 'null';
    const isObject = !isNothing && typeOfJson(read?.value) === 'object';
    return { headers, body: json, ...(!isNothing && !isObject && { status: 422 }) };
  };
  const beside = (name: string, json: string) =>
    JSON.stringify(sample()).replace(/\}$/, (end) => `,${JSON.stringify(name)}:${json}${end}`);
  const [first] = fields;

  return [
    ...fields.flatMap((field) => [...PLAIN, ...some(ODD_VALUES)].flatMap((odd) => ofField(field, odd))),
    ...some(fields, 1).flatMap((field) => some(LARGE_VALUES, 2).flatMap((odd) => ofField(field, odd))),
    ...some(ODD_BODIES, 8).map(ofBody),
    ...['__proto__', 'constructor', 'toString', 'unknown'].flatMap((name) =>
      some([...ODD_VALUES, ...LARGE_VALUES], 2).map(({ json }) => ({ headers, body: beside(name, json) })),
    ),
    ...(first ? [{ headers, body: `{"a":1,${jsonObject({ [String(first.path[0])]: '1' }).slice(1)}` }] : []),
    ...some(OTHER_TYPES, 3).map((type) => ({
      headers: { 'content-type': type },
      body: JSON.stringify(sample()),
    })),
  ];
}
