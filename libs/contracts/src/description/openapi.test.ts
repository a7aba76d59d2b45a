import {
  answerSchema,
  CODES_WITH_DATA,
  ERROR_MEANINGS,
  ERROR_STATUS,
  EXAMPLES,
  errorsOf,
  INGEST_PATH,
  OPERATIONS,
  type Operation,
  openApiDocument,
  RECORDS,
  type WireSchema,
} from '../index.ts';

interface Described {
  deprecated?: boolean;
  description: string;
  parameters: { name: string; in: string; schema: object }[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: { properties: object } } } };
  responses: Record<string, { description: string; headers: Record<string, object> }>;
}

type Answer = Described['responses'][string];

const REF = '#/components/responses/';

/** The operation, with the answers that it refers to. */
function describedIn({ paths, components }: ReturnType<typeof openApiDocument>, id: string): Described {
  const operation = Object.values(paths)
    .flatMap((path) => Object.values(path) as (Described & { operationId: string })[])
    .find(({ operationId }) => operationId === id) as Described;
  const known: Record<string, unknown> = components.responses;
  const responses = Object.entries(operation.responses as Record<string, Answer | { $ref: string }>).map(
    ([status, answer]) => [status, '$ref' in answer ? known[answer.$ref.slice(REF.length)] : answer],
  );
  return { ...operation, responses: Object.fromEntries(responses) };
}
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

describe('a failure of API v1', () => {
  const { paths, components } = openApiDocument();
  const { [INGEST_PATH]: _ingest, ...ofApi } = paths;
  const failures = Object.values(ofApi)
    .flatMap((path) => Object.values(path) as { responses: Record<string, { $ref?: string }> }[])
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status]) => Number(status) >= 400);

  it('is described once, and referred to by every operation that may answer with it', () => {
    const names = failures.map(([, { $ref = '' }]) => $ref.slice(REF.length));
    expect(new Set(names)).toEqual(new Set(Object.keys(components.responses)));
    const described = Object.values(components.responses).map((answer) => JSON.stringify(answer));
    expect(new Set(described).size).toBe(described.length);
    expect(names.length).toBeGreaterThan(5 * described.length);
  });

  it('is named by its codes', () => {
    const { BadRequest, BadRequestOrInvalidJson, SlotUnavailable } = components.responses as Record<
      string,
      Answer
    >;
    expect(BadRequest?.description).toMatch(/^bad_request: .*$/);
    expect(BadRequestOrInvalidJson?.description).toMatch(/^bad_request: .*\n\ninvalid_json: /);
    expect(SlotUnavailable?.description).toMatch(/^slot_unavailable: /);
  });
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

describe('dates and times', () => {
  /** Every text in what we send, by where it is. */
  function texts(schema: WireSchema, at: string): [at: string, schema: WireSchema][] {
    const below = [
      ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => texts(inner, `${at}.${name}`)),
      ...textsIn(schema.items, `${at}[]`),
      ...(schema.anyOf ?? []).flatMap((inner) => texts(inner, at)),
    ];
    return schema.type === 'string' || [schema.type].flat().includes('string') ? [[at, schema]] : below;
  }
  const textsIn = (schema: WireSchema | undefined, at: string) => (schema ? texts(schema, at) : []);

  const all = Object.entries(RECORDS).flatMap(([name, schema]) => texts(answerSchema(schema), name));
  const named = (name: RegExp) => all.filter(([at]) => name.test(at));

  it('of records say what they are', () => {
    const [dates, instants, times] = [/[._]date$/, /_at$/, /(?:[._]time|\.start|hours\S*\.end)$/].map(named);
    expect([dates, instants, times].map((found) => (found?.length ?? 0) > 4)).toEqual([true, true, true]);
    for (const [at, { format }] of dates ?? []) expect([at, format]).toEqual([at, 'date']);
    for (const [at, { format }] of instants ?? []) expect([at, format]).toEqual([at, 'date-time']);
    for (const [at, { format, pattern = '' }] of times ?? []) {
      expect([at, format]).toEqual([at, undefined]);
      for (const [time, isOne] of [
        ['09:15', true],
        ['00:00', true],
        ['9:15', false],
        ['25:00', false],
        ['09:15:00', false],
      ] as const)
        expect([at, time, new RegExp(pattern).test(time)]).toEqual([at, time, isOne]);
    }
  });

  it('of examples are as they say', () => {
    for (const { appointment_date, appointment_time, starts_at, created_at } of [EXAMPLES.appointment])
      expect([appointment_date, appointment_time, starts_at, created_at].join(' ')).toMatch(
        /^\d{4}-\d\d-\d\d \d\d:\d\d \S+[+-]\d\d:\d\d \S+Z$/,
      );
  });
});

describe('failures with data', () => {
  const schemaOf = (id: string, status: number) =>
    (
      described(id).responses[status] as unknown as {
        content: { 'application/json': { schema: WireSchema } };
      }
    ).content['application/json'].schema;
  const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const { schemas } = openApiDocument().components as { schemas: Record<string, WireSchema> };

  it('are described by their code', () => {
    for (const [id, status, name] of [
      ['create-appointment', 409, 'SlotUnavailableFailure'],
      ['update-appointment', 409, 'SlotUnavailableFailure'],
      ['list-events', 410, 'CursorExpiredFailure'],
      ['create-customer', 409, 'Failure'],
      ['create-appointment', 422, 'Failure'],
      ['list-events', 401, 'Failure'],
    ] as const)
      expect([id, schemaOf(id, status)]).toEqual([id, named(name)]);
    const alternatives = { type: 'array', items: named('Slot') };
    const { SlotUnavailableFailure, CursorExpiredFailure } = schemas;
    expect(SlotUnavailableFailure?.properties?.data?.properties).toMatchObject({ alternatives });
    expect(CursorExpiredFailure?.properties?.data?.properties).toHaveProperty('oldest_cursor');
  });

  it('have all else that failures have, and their data for certain where no other code has their status', () => {
    const { data: _data, code: _code, ...common } = schemas.Failure?.properties ?? {};
    const required = ['success', 'code', 'message', 'request_id'];
    for (const [name, certain] of [
      ['SlotUnavailableFailure', required],
      ['CursorExpiredFailure', [...required, 'data']],
    ] as const) {
      expect(schemas[name]?.properties).toMatchObject(common);
      expect([name, schemas[name]?.required]).toEqual([name, certain]);
    }
  });

  it('share no status with one another in any operation', () => {
    for (const operation of OPERATIONS) {
      const codes = errorsOf(operation).filter((code) => CODES_WITH_DATA.some((one) => one === code));
      const statuses = codes.map((code) => ERROR_STATUS[code]);
      expect([operation.id, new Set(statuses).size]).toEqual([operation.id, statuses.length]);
    }
  });
});

it('describes where call messages go, apart from API v1', () => {
  const { post } = openApiDocument().paths['/ingest/calls/{source}'] as unknown as {
    post: Described & { security: object[] };
  };
  expect(Object.keys(post.responses)).toEqual(
    expect.arrayContaining(['202', '401', '403', '404', '413', '429', '503']),
  );
  const keyed = openApiDocument().security.map((scheme) => Object.keys(scheme)[0]);
  for (const scheme of post.security) expect(keyed).not.toContain(Object.keys(scheme)[0]);
  const { GenericCall } = openApiDocument().components.schemas as Record<string, WireSchema>;
  expect(GenericCall?.properties).toMatchObject({ started_at: { format: 'date-time' } });
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
