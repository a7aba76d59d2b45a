import {
  CANONICAL_EVENTS,
  ERROR_MEANINGS,
  EXAMPLES,
  errorsOf,
  exampleOf,
  INGEST_PATH,
  OPERATIONS,
  openApiDocument,
  patternOf,
  RECORDS,
  webhookBody,
} from '@frontdesk/contracts';
import { z } from 'zod';
import { routesByService } from './registered-routes.ts';

it('every operation is served by its owner, and nothing else of API v1 by anybody', async () => {
  const { gateway: _proxied, ...services } = await routesByService();
  const registered = Object.entries(services).flatMap(([service, routes]) =>
    routes
      .filter(({ url, method }) => url.startsWith('/api/v1/') && method !== 'HEAD')
      .map(({ url, method }) => `${service}: ${String(method)} ${url}`),
  );
  const owned = OPERATIONS.map((one) => `${one.owner}: ${one.method} ${patternOf(one)}`);
  expect(registered.toSorted()).toEqual(owned.toSorted());
  expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
});

it('what is below one prefix of API v1 has one owner: the gateway knows no more of it', () => {
  const owners = new Set(OPERATIONS.map(({ path, owner }) => `${path.split('/')[3]} of ${owner}`));
  const prefixes = new Set(OPERATIONS.map(({ path }) => path.split('/')[3]));
  expect(owners.size).toBe(prefixes.size);
});

it('has words for every code that an operation can answer with', () => {
  for (const code of OPERATIONS.flatMap(errorsOf)) expect(ERROR_MEANINGS).toHaveProperty([code]);
});

it('shows examples that are what the schemas say, and nothing beside', () => {
  const { appointment, hold, customer, call, service, staff, slot, business, webhook, delivery } = EXAMPLES;
  const {
    Appointment,
    Hold,
    Customer,
    Call,
    Service,
    StaffMember,
    Slot,
    Business,
    Webhook,
    WebhookDelivery,
  } = RECORDS;
  const pairs = [
    [Appointment, appointment],
    [Hold, hold],
    [Customer, customer],
    [Call, call],
    [Service, service],
    [StaffMember, staff],
    [Slot, slot],
    [Business, business],
    [Webhook, webhook],
    [WebhookDelivery, delivery],
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
  const refs = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/([^"]+)"/g);
  for (const [, path] of refs) expect(document.components).toHaveProperty(String(path).split('/'));
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
