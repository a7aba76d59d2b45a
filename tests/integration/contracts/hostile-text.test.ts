import { OPERATIONS } from '@frontdesk/contracts';
import { startCalls } from '../calls/calls-world.ts';

/** Only who has made a cursor can read it, so no schema does: tests of lists and of the feed send others. */
const isCursor = (field: string) => field === 'cursor' || field === 'after';

const fields = OPERATIONS.flatMap(({ id, query, body }) =>
  [query, body].flatMap((schema) =>
    Object.keys(schema?.shape ?? {})
      .filter((field) => !isCursor(field))
      .map((field) => [id, field, schema] as const),
  ),
);

it.each(fields)('%s: the field %s takes neither NUL nor half a character', (_id, field, schema) => {
  for (const text of ['\0', 'a\0b', '+49 30 901820\0', '2031-03-03\0']) {
    const faults = schema?.safeParse({ [field]: text }).error?.issues.map(({ path }) => path[0]);
    expect(faults).toContain(field);
  }
  for (const text of ['\ud800', 'a\udc00b']) {
    const faults = schema?.safeParse({ [field]: text }).error?.issues.map(({ path }) => path[0]);
    expect(faults).toContain(field);
  }
});

describe('what stands in an address', () => {
  let calls: Awaited<ReturnType<typeof startCalls>>;
  beforeAll(async () => {
    calls = await startCalls();
  });
  afterAll(() => calls.stop());

  const HOSTILE = ['%00', 'a%00b', '%ED%A0%80', '%FF', '%', '%u0000'];

  it.each(HOSTILE)('%s names no record and no source, and is no fault of ours', async (text) => {
    const tenant = calls.newTenant();
    const call = await calls.api(tenant, 'GET', `/api/v1/calls/${text}`);
    const list = await calls.api(tenant, 'GET', `/api/v1/calls?outcome=${text}`);
    const ingest = await calls.ingest({ path: `/ingest/calls/${text}` }, { body: '{}', headers: {} });
    expect([400, 404]).toContain(call.status);
    expect(list).toMatchObject({ status: 422, body: { errors: { outcome: expect.anything() } } });
    expect([400, 404]).toContain(ingest.status);
    expect([call.body.success, ingest.body.success]).toEqual([false, false]);
  });
});
