import {
  answerSchema,
  CANONICAL_EVENTS,
  ERROR_MEANINGS,
  EXAMPLES,
  errorsOf,
  exampleOf,
  INGEST_PATH,
  OPERATIONS,
  openApiDocument,
  RECORDS,
  webhookBody,
} from '@frontdesk/contracts';
import type { RouteOptions } from 'fastify';
import { z } from 'zod';
import { registeredRoutes } from './registered-routes.ts';

let routes: RouteOptions[];
beforeAll(async () => {
  routes = await registeredRoutes();
});

const pathOf = (url: string) => url.replace(/:(\w+)/g, '{$1}');

it('lists every route of API v1 that the services register, and no other', () => {
  const registered = routes.map(({ method, url }) => `${String(method)} ${pathOf(url)}`);
  expect(OPERATIONS.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(registered.toSorted());
  expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
});

it.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
  '%s: reads and answers by the very schemas of its route',
  (_id, { method, path, query, body, status, otherStatus, answer }) => {
    const route = routes.find((one) => one.method === method && pathOf(one.url) === path);
    const schema = route?.schema as {
      querystring?: z.ZodType;
      body?: z.ZodType;
      response: Record<number, z.ZodType>;
    };
    expect(schema.querystring).toBe(query);
    expect(schema.body).toBe(body);
    const statuses = otherStatus ? [otherStatus.status, status] : [status];
    expect(Object.keys(schema.response)).toEqual(statuses.map(String));
    for (const one of statuses)
      expect(answerSchema(schema.response[one] as z.ZodType)).toEqual(answerSchema(answer));
  },
);

it('has words for every code that an operation can answer with', () => {
  for (const code of OPERATIONS.flatMap(errorsOf)) expect(ERROR_MEANINGS).toHaveProperty([code]);
});

it('shows examples that are what the schemas say, and nothing beside', () => {
  const { appointment, customer, call, service, staff, slot, business } = EXAMPLES;
  const { Appointment, Customer, Call, Service, StaffMember, Slot, Business } = RECORDS;
  const pairs = [
    [Appointment, appointment],
    [Customer, customer],
    [Call, call],
    [Service, service],
    [StaffMember, staff],
    [Slot, slot],
    [Business, business],
  ] as const;
  for (const [schema, example] of pairs) expect(schema.strict().parse(example)).toEqual(example);
  for (const event of CANONICAL_EVENTS) {
    const { data, ...shape } = webhookBody(event).shape;
    const body = z.strictObject({ ...shape, data: data.strict() });
    expect(body.parse(exampleOf(event))).toEqual(exampleOf(event));
  }
});

it('shows requests that the routes take', () => {
  for (const { query, body, example = {} } of OPERATIONS) {
    const sent = Object.entries(example);
    if (query && !body)
      query.strict().parse(Object.fromEntries(sent.map(([name, value]) => [name, String(value)])));
    if (body) body.strict().parse(example);
    // In a command line it stands between these.
    expect(JSON.stringify(example)).not.toContain("'");
  }
});

it('refers only to what the document holds', () => {
  const document = openApiDocument();
  const refs = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);
  for (const [, name] of refs) expect(document.components.schemas).toHaveProperty(String(name));
  const { [INGEST_PATH]: ingest, ...ofApi } = document.paths;
  expect(Object.keys(ingest ?? {})).toEqual(['post']);
  expect(Object.values(ofApi).flatMap((path) => Object.keys(path))).toHaveLength(OPERATIONS.length);
});

it('describes If-None-Match and 304 where a GET answers with an ETag, and nowhere else', () => {
  const { paths } = openApiDocument();
  const conditional = OPERATIONS.filter(({ path, method }) => {
    const described = paths[path]?.[method.toLowerCase()] as {
      parameters: { name: string }[];
      responses: object;
    };
    const takesTag = described.parameters.some(({ name }) => name === 'If-None-Match');
    expect('304' in described.responses).toBe(takesTag);
    return takesTag;
  });
  expect(conditional.map(({ id }) => id)).toEqual(
    OPERATIONS.filter(({ method, hasEtag }) => method === 'GET' && hasEtag).map(({ id }) => id),
  );
  expect(conditional.length).toBeGreaterThan(0);
});
