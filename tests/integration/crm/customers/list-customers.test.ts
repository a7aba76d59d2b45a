import { customerListEntry } from '@frontdesk/contracts';
import { crm, startForEachTest, tenant } from '../each-test.ts';

startForEachTest();

describe('GET /api/v1/customers', () => {
  let lastDigits = 100;
  const add = async (fields: object) => {
    lastDigits += 1;
    const body = { name: 'Somebody', phone: `030 23125 ${lastDigits}`, ...fields };
    const answer = await crm.api(tenant, 'POST', '/api/v1/customers', body);
    expect(answer.status).toBe(201);
    return answer.body.data;
  };
  const list = async (query: Record<string, string> = {}) =>
    crm.api(tenant, 'GET', `/api/v1/customers?${new URLSearchParams(query).toString()}`);
  const namesFor = async (query: Record<string, string>) => {
    const { status, body } = await list(query);
    expect(status).toBe(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ name }: { name: string }) => name);
  };

  it('200: an empty list for a tenant without customers', async () => {
    expect((await list()).body).toEqual({
      success: true,
      data: [],
      meta: { page: 1, per_page: 20, total: 0 },
    });
  });

  it('200: newest first, without the aggregates of the single view', async () => {
    const first = await add({ name: 'First' });
    const second = await add({ name: 'Second' });
    const entry = (record: object) => customerListEntry.parse(record);
    expect((await list()).body).toEqual({
      success: true,
      data: [entry(second), entry(first)],
      meta: { page: 1, per_page: 20, total: 2 },
    });
  });

  it('pages through all, each once, and is empty past the end', async () => {
    for (const name of ['A', 'B', 'C', 'D', 'E']) await add({ name });
    const pages = await Promise.all(['1', '2', '3', '4'].map((page) => list({ page, per_page: '2' })));
    expect(pages.map(({ body }) => body.data.map(({ name }: { name: string }) => name).join(''))).toEqual([
      'ED',
      'CB',
      'A',
      '',
    ]);
    expect(pages.map(({ body: { meta } }) => ({ ...meta, next_cursor: 'next_cursor' in meta }))).toEqual(
      [1, 2, 3, 4].map((page) => ({ page, per_page: 2, total: 5, next_cursor: page < 3 })),
    );
  });

  it('takes a per_page above 100 as 100', async () => {
    expect((await list({ per_page: '5000' })).body.meta.per_page).toBe(100);
  });

  it.each([
    [{ page: '0' }, 'page'],
    [{ page: '1000001' }, 'page'],
    [{ page: 'one' }, 'page'],
    [{ per_page: '0' }, 'per_page'],
    [{ per_page: '1.5' }, 'per_page'],
    [{ segment: 'gold' }, 'segment'],
    [{ search: 'a\0' }, 'search'],
  ])('422: %j', async (query, field) => {
    const answer = await list(query as unknown as Record<string, string>);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ success: false, code: 'validation_failed' });
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });

  it('filters by segment and stage, alone and together, and counts what matches', async () => {
    await add({ name: 'A', segment: 'vip', pipeline_stage: 'won' });
    await add({ name: 'B', segment: 'vip', pipeline_stage: 'offer' });
    await add({ name: 'C', segment: 'lead', pipeline_stage: 'won' });
    await add({ name: 'D' });
    expect(await namesFor({ segment: 'vip' })).toEqual(['B', 'A']);
    expect(await namesFor({ pipeline_stage: 'won' })).toEqual(['C', 'A']);
    expect(await namesFor({ segment: 'vip', pipeline_stage: 'won' })).toEqual(['A']);
    expect(await namesFor({ segment: 'vip', pipeline_stage: 'won', search: 'a' })).toEqual(['A']);
    expect(await namesFor({ pipeline_stage: 'WON' })).toEqual([]);
    expect((await list({ segment: 'vip', per_page: '1' })).body.meta).toMatchObject({
      page: 1,
      per_page: 1,
      total: 2,
    });
  });

  it('searches any part of name or e-mail, whatever its case', async () => {
    await add({ name: 'Anna Weber', email: 'aw@example.com' });
    await add({ name: 'Johann Berger', email: 'weberei@example.org' });
    await add({ name: 'Zoë Ünlü' });
    expect(await namesFor({ search: 'WEBER' })).toEqual(['Johann Berger', 'Anna Weber']);
    expect(await namesFor({ search: 'ann' })).toEqual(['Johann Berger', 'Anna Weber']);
    expect(await namesFor({ search: 'example.ORG' })).toEqual(['Johann Berger']);
    expect(await namesFor({ search: 'a w' })).toEqual(['Anna Weber']);
    expect(await namesFor({ search: 'weber aw@' })).toEqual([]);
    expect(await namesFor({ search: 'nobody' })).toEqual([]);
  });

  it('finds a name with or without its accents, in either case', async () => {
    await add({ name: 'José Ärmel' });
    await add({ name: 'Jose Armel' });
    await add({ name: 'Łukasz Groß' });
    const both = ['Jose Armel', 'José Ärmel'];
    for (const search of ['josé', 'jose', 'ÄRMEL', 'jose\u0301']) {
      expect(await namesFor({ search })).toEqual(both);
    }
    for (const search of ['lukasz', 'GROSS', 'groß'])
      expect(await namesFor({ search })).toEqual(['Łukasz Groß']);
  });

  it('finds what is shorter than three characters, in every script', async () => {
    await add({ name: '王 娜', email: 'wang@example.com' });
    await add({ name: 'Xi Qu' });
    await add({ name: 'A. B.' });
    expect(await namesFor({ search: '王' })).toEqual(['王 娜']);
    expect(await namesFor({ search: 'q' })).toEqual(['Xi Qu']);
    expect(await namesFor({ search: 'x' })).toEqual(['Xi Qu', '王 娜']);
    expect(await namesFor({ search: '. b' })).toEqual(['A. B.']);
    expect(await namesFor({ search: '+1 5' })).toEqual([]);
  });

  it('takes %, _ and \\ as text', async () => {
    await add({ name: '100% Anna' });
    await add({ name: 'snake_case' });
    await add({ name: 'back\\slash' });
    await add({ name: 'plain' });
    expect(await namesFor({ search: '%' })).toEqual(['100% Anna']);
    expect(await namesFor({ search: '0% a' })).toEqual(['100% Anna']);
    expect(await namesFor({ search: '_' })).toEqual(['snake_case']);
    expect(await namesFor({ search: 'k\\s' })).toEqual(['back\\slash']);
    expect(await namesFor({ search: "' or 1=1 --" })).toEqual([]);
  });

  it('finds a phone number by any part of its digits, in each way to write it', async () => {
    await add({ name: 'National', phone: '(030) 23125-881' });
    await add({ name: 'International', phone: '+49 30 23125 882' });
    await add({ name: 'Name 23125', phone: '+1 212 555 0199' });
    for (const search of ['+49 30 23125 881', '030 23125-881', '25881', '(030) 23125/881']) {
      expect(await namesFor({ search })).toEqual(['National']);
    }
    for (const search of ['+493023125882', '030 23125 882', '25 882']) {
      expect(await namesFor({ search })).toEqual(['International']);
    }
    expect(await namesFor({ search: '23125' })).toEqual(['Name 23125', 'International', 'National']);
  });

  it('finds a changed name or e-mail, and no longer the former one', async () => {
    const { id } = await add({ name: 'Anna Weber', email: 'weber@example.com' });
    await crm.api(tenant, 'PATCH', `/api/v1/customers/${id}`, { name: 'Anna Köhler', email: null });
    expect(await namesFor({ search: 'weber' })).toEqual([]);
    expect(await namesFor({ search: 'köhler' })).toEqual(['Anna Köhler']);
  });

  it('excludes nobody by a blank search or stage', async () => {
    await add({ name: 'A' });
    expect(await namesFor({ search: ' ', pipeline_stage: '' })).toEqual(['A']);
  });
});
