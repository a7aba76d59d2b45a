import { ERROR_MEANINGS, OPERATIONS, type Operation, openApiDocument, type WireSchema } from '../index.ts';

interface Described {
  deprecated?: boolean;
  description: string;
  parameters: { name: string; in: string; schema: object }[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: { properties: object } } } };
  responses: Record<string, { description: string; headers: Record<string, object> }>;
}

const describedIn = (document: ReturnType<typeof openApiDocument>, id: string): Described =>
  Object.values(document.paths)
    .flatMap((path) => Object.values(path) as (Described & { operationId: string })[])
    .find(({ operationId }) => operationId === id) as Described;
const described = (id: string) => describedIn(openApiDocument(), id);
const parameter = (id: string, name: string) =>
  described(id).parameters.find((one) => one.name === name)?.schema;

describe('what the routes refuse, the description refuses', () => {
  it.each([
    ['list-appointments', 'date', { format: 'date' }],
    ['list-appointments', 'updated_since', { format: 'date-time' }],
    ['list-appointments', 'per_page', { type: 'integer', minimum: 1, maximum: 999_999_999_999_999 }],
    ['list-appointments', 'page', { type: 'integer', minimum: 1, maximum: 1_000_000 }],
    [
      'list-calls',
      'from_date',
      {
        type: 'string',
        anyOf: [
          { type: 'string', format: 'date' },
          { type: 'string', format: 'date-time' },
        ],
      },
    ],
    ['create-customer', 'Idempotency-Key', { minLength: 1, maxLength: 255 }],
  ])('%s: %s', (id, name, schema) => expect(parameter(id, name)).toMatchObject(schema));

  it('in bodies too', () => {
    const fieldsOf = (id: string) => described(id).requestBody?.content['application/json'].schema.properties;
    expect(fieldsOf('create-appointment')).toMatchObject({ appointment_date: { format: 'date' } });
    expect(fieldsOf('create-customer')).toMatchObject({
      name: { minLength: 1, pattern: String.raw`\S` },
      phone: { format: 'phone' },
    });
  });

  it('and takes what they take: a PATCH without a body', () => {
    const needsBody = (id: string) => described(id).requestBody?.required;
    expect(['update-customer', 'update-appointment'].map(needsBody)).toEqual([false, false]);
    expect(['update-appointment-status', 'create-customer'].map(needsBody)).toEqual([true, true]);
  });
});

it('names what any request may get before its operation looks at it', () => {
  for (const { id } of OPERATIONS) {
    const { responses } = described(id);
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['400', '401', '408', '417', '429', '431']),
    );
    for (const { description } of Object.values(responses)) expect(description).not.toContain('undefined');
  }
  expect(ERROR_MEANINGS).toHaveProperty('expectation_failed');
});

it('names the headers of failures', () => {
  const { responses } = described('update-customer');
  const headersOf = (status: number) => Object.keys(responses[status]?.headers ?? {});
  expect(headersOf(401)).toContain('WWW-Authenticate');
  expect([headersOf(429), headersOf(503)]).toEqual(Array(2).fill(expect.arrayContaining(['Retry-After'])));
  expect(headersOf(412)).toContain('ETag');
});

it('lists values that may grow without closing the list, and the contract’s own closed', () => {
  const { Call, Failure, Appointment }: Record<string, WireSchema> = openApiDocument().components.schemas;
  expect(Call?.properties?.outcome).toMatchObject({ type: 'string', 'x-extensible-enum': expect.any(Array) });
  for (const growing of [Call?.properties?.outcome, Failure?.properties?.code])
    expect(growing).not.toHaveProperty('enum');
  expect(Appointment?.properties?.status).toHaveProperty('enum');
});

describe('a deprecated operation', () => {
  const deprecated = { since: '2026-06-01', sunset: '2027-06-01', link: 'https://docs.example.com/staff' };
  const operations = OPERATIONS.map(
    (operation): Operation => (operation.id === 'list-staff' ? { ...operation, deprecated } : operation),
  );
  const document = openApiDocument(operations);
  const NAMES = ['Deprecation', 'Sunset', 'Link'];

  it('is described as such, with its headers on every answer', () => {
    const { deprecated: isDeprecated, responses, description } = describedIn(document, 'list-staff');
    expect(isDeprecated).toBe(true);
    expect(description).toContain('2027-06-01');
    for (const { headers } of Object.values(responses))
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(NAMES));
  });

  it('changes nothing about the others', () => {
    expect(describedIn(document, 'list-services')).toEqual(described('list-services'));
    expect(JSON.stringify(described('list-services'))).not.toMatch(/Sunset|deprecated/);
  });
});
