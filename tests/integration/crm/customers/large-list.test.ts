import { mayBeMistyped, typedWords } from '@frontdesk/contracts';
import { Client } from 'pg';
import { leastSimilarity } from '../../../../services/crm/src/customers/search.rules.ts';
import { takeInVisits } from '../../../../services/crm/src/visits/visits.consumer.ts';
import { LARGE_TENANT, loadCustomers } from '../../../support/customers-data.ts';
import { expectIndexes } from '../../../support/expect-indexes.ts';
import { readingsOf, rowsRead } from '../../../support/plans.ts';
import type { Caller } from '../../../support/signed-requests.ts';
import { type CrmWorld, startCrm } from '../crm-world.ts';

const CUSTOMERS = 48_000;
const TABLES = ['customers', 'visits', 'merged_customers'];
const MOST_READ = 20_000;
/** Two looks into the index, at most half of the list: as many as share the trigrams of the most common names. */
const MOST_SIMILAR_READ = 25_000;
const IMPORTED = 19_000;

describe('a list of 50,000 customers', () => {
  let crm: CrmWorld;
  let client: Client;
  beforeAll(async () => {
    crm = await startCrm();
    client = new Client({ connectionString: crm.config.DATABASE_URL });
    await client.connect();
    await loadCustomers(client, CUSTOMERS);
    // As an import that happened once: they lie together, at one end of the list in either order.
    await client.query(
      `update customers set search_text = search_text || ' imported', pipeline_stage = 'cold'
       where tenant_id = $1 and id in (select id from customers where tenant_id = $1 order by id limit ${IMPORTED})`,
      [LARGE_TENANT],
    );
    await client.query('vacuum analyze customers');
  });
  afterAll(async () => {
    await client.end();
    await crm.stop();
  });

  const list = async (query: Record<string, string>) => {
    const path = `/api/v1/customers?${new URLSearchParams({ per_page: '100', ...query })}`;
    const answer = await crm.api(LARGE_TENANT, 'GET', path);
    expect(answer.status).toBe(200);
    return answer.body as {
      data: { id: number }[];
      meta: { total: number; total_is_estimate?: true; next_cursor?: string };
    };
  };
  const ids = ({ data }: { data: { id: number }[] }) => data.map(({ id }) => id);
  /** What the list should hold, worked out in another way. */
  const expected = async (
    term: string,
    { segment, pipeline_stage, sort = '-created_at' }: Record<string, string>,
  ) => {
    const [column, direction] = [sort.replace('-', ''), sort.startsWith('-') ? 'desc' : 'asc'];
    const folded = `ltrim(split_part(search_text, chr(31), 1)) collate "C" ${direction}, id ${direction}`;
    const orders: Record<string, string> = {
      name: folded,
      updated_at: `updated_at ${direction}, id ${direction}`,
    };
    const order = orders[column] ?? `id ${direction}`;
    const { rows } = await client.query<{ id: string }>(
      `select id from customers where tenant_id = $1 and strpos(search_text, $2) > 0 and segment = coalesce($3, segment)
         and pipeline_stage is not distinct from coalesce($4, pipeline_stage) order by ${order}`,
      [LARGE_TENANT, term, segment ?? null, pipeline_stage ?? null],
    );
    return rows.map(({ id }) => Number(id));
  };

  const searches: [string, Record<string, string>][] = [
    ['gmail', {}],
    ['wolf', {}],
    ['papadopoulos', {}],
    ['zeljko nowak', {}],
    ['qq', {}],
    ['%', {}],
    ['7919', {}],
    ['wolf', { sort: 'created_at' }],
    ['papadopoulos', { sort: '-updated_at' }],
    ['papadopoulos', { sort: 'updated_at' }],
    ['an', { segment: 'vip', sort: 'updated_at' }],
    ['wolf', { segment: 'vip' }],
    ['imported', {}],
    ['imported', { sort: 'updated_at' }],
    ['gmail', { pipeline_stage: 'cold' }],
    ['wolf', { pipeline_stage: 'cold', sort: 'updated_at' }],
    ['wolf', { sort: 'name' }],
    ['muller', { segment: 'vip', sort: 'name' }],
  ];

  it.each(searches)(
    'search=%s %j is whole by cursor and by page, and the total never ends it early',
    async (search, query) => {
      const all = await expected(search, query);
      const byCursor: number[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const page = await list({ ...query, search, ...(cursor && { cursor }) });
        byCursor.push(...ids(page));
        cursor = page.meta.next_cursor;
      }
      expect(byCursor).toEqual(all);

      // Of a long list the last pages, where a total that is too small would end it.
      const first = Math.max(1, Math.floor(all.length / 100) - 20);
      const byPage: number[] = [];
      for (let number = first, total = all.length; (number - 1) * 100 < total; number += 1) {
        const { data, meta } = await list({ ...query, search, page: String(number) });
        total = meta.total;
        if (!meta.total_is_estimate) expect(total).toBe(all.length);
        if (data.length === 0) break;
        byPage.push(...ids({ data }));
      }
      expect(byPage).toEqual(all.slice((first - 1) * 100));
    },
  );

  it('says where a total is an estimate, which is near', async () => {
    for (const search of ['gmail', 'an']) {
      const { length } = await expected(search, {});
      const { meta } = await list({ search });
      expect(meta.total_is_estimate).toBe(true);
      expect(Math.abs(meta.total - length)).toBeLessThan(length / 4);
    }
    expect((await list({ search: 'muller' })).meta).not.toHaveProperty('total_is_estimate');
    expect((await list({ segment: 'vip' })).meta).not.toHaveProperty('total_is_estimate');
  });

  it('pages past the end are empty, and their total is not beyond them', async () => {
    const { data, meta } = await list({ search: 'gmail', page: '480' });
    expect(data).toEqual([]);
    expect(meta.total).toBeLessThanOrEqual(47_900);
  });

  const ever = { updated_since: '1970-01-01T00:00:00Z' };
  const queries: Record<string, string>[] = [
    ...searches.map(([search, query]) => ({ ...query, search })),
    ...['e', '49', '---', '+49 1512 3456789', 'anna.muller77@gmail.com'].map((search) => ({ search })),
    ...['created_at', 'updated_at', '-updated_at', 'name', '-name'].map((sort) => ({ sort })),
    { segment: 'vip', sort: 'name' },
    { search: 'gmail', sort: '-name' },
    { search: 'imported', sort: 'name' },
    { segment: 'vip', pipeline_stage: 'on hold', sort: '-name' },
    {},
    { segment: 'vip' },
    { pipeline_stage: 'on hold' },
    { segment: 'vip', pipeline_stage: 'on hold' },
    { pipeline_stage: 'none such', sort: 'updated_at' },
    { segment: 'vip', search: 'gmail' },
    ever,
    { ...ever, segment: 'vip' },
    { ...ever, search: 'wolf' },
    { phone: '+4915123456789' },
    { phone: '+4915123456789', segment: 'vip', search: 'gmail', sort: 'updated_at' },
    { ...ever, phone: '+4915123456789' },
  ];

  it.each(['custom', 'generic'] as const)('no query reads more than 20,000 rows: %s plans', async (kind) => {
    const read: { query: object; statement: string; rows: number }[] = [];
    for (const query of queries)
      for (const reading of await rowsRead(client, kind, () => list(query))) read.push({ query, ...reading });
    expect(read.length).toBeGreaterThan(queries.length);
    expect(read.filter(({ rows }) => rows > MOST_READ)).toEqual([]);
  });

  const TYPED = [
    ...[
      'siobahn',
      'anna mueler',
      'amna',
      'anma',
      'vnna',
      'micheal',
      'mcdonld',
      'papadopuolos',
      'schimdt',
      'meria',
    ],
    ...[
      'thomas muler wolfgang',
      'katharina zimmerman',
      'maria martin',
      'amna mairia',
      'muler',
      'x'.repeat(80),
    ],
    ...[
      'anna',
      'schmitt',
      'mayer',
      'marai',
      'gmial',
      'wolfgagn',
      'maia',
      'ma maria mari mariam',
      'Ελέην',
      'nguyne',
    ],
  ];
  const similar = async (search: string, also: Record<string, string> = {}) => {
    const url = `/internal/tenants/${LARGE_TENANT}/customers/similar?${new URLSearchParams({ search, ...also })}`;
    const admin = { issuer: 'settings-ui', role: 'admin', tenantId: LARGE_TENANT } as const;
    const { status, body } = await crm.send('internal', admin, { method: 'GET', url });
    expect([search, status]).toEqual([search, 200]);
    return body.data.map(({ name }: { name: string }) => name) as string[];
  };

  it('no search for similar names reads more than half of the list, or any but by the index of trigrams', async () => {
    const read: { search: string; statement: string; rows: number }[] = [];
    for (const search of TYPED) {
      for (const reading of await rowsReadFor(search)) read.push({ search, ...reading });
    }
    expect(read.length).toBeGreaterThanOrEqual(TYPED.length);
    expect(read.filter(({ rows }) => rows > MOST_SIMILAR_READ)).toEqual([]);
    for (const search of TYPED.slice(0, 5))
      for (const { index } of await readingsOf(client, 'customers', () => similar(search)))
        expect(['customers_by_search_text', 'customers_pkey']).toContain(index);
  });
  /** With the threshold that the service sets for its own transaction. */
  const rowsReadFor = async (search: string) => {
    const least = leastSimilarity(typedWords(search).filter(mayBeMistyped));
    await client.query("select set_config('pg_trgm.word_similarity_threshold', $1, false)", [String(least)]);
    return rowsRead(client, 'custom', () => similar(search));
  };

  it('finds the similar among many whose names begin alike', async () => {
    for (const [typed, name] of [
      ['papadopuolos', /Papadopoulos$/],
      ['schimdt', /Schmidt/],
      ['anna mueler', /^Anna .*Müller/],
      ['meria', /^Mar[ií]a /],
      ['wolfgagn', /^Wolfgang /],
    ] as const) {
      const names = await similar(typed);
      expect([typed, names.length]).toEqual([typed, 10]);
      for (const each of names) expect(each).toMatch(name);
    }
  });

  it('an index stands behind everything that is read of customers and visits', async () => {
    const operator = { issuer: 'operator', role: 'operator' } as const;
    const internal = async (caller: Caller, method: 'GET' | 'POST', url: string, body?: object) => {
      const { status } = await crm.send('internal', caller, { method, url, body });
      expect([url, status]).toEqual([url, 200]);
    };
    const calls = { issuer: 'calls', role: 'service' } as const;
    const tenant = `/internal/tenants/${LARGE_TENANT}`;
    const sent = [
      'customers_find_by_phone',
      'customers_insert',
      'customers_find_with_totals',
      'visits_upsert',
      'snapshot_customers',
      'snapshot_merged_customers',
      'customers_lock_visited',
      'customers_current_totals',
    ];
    await expectIndexes(client, { tables: TABLES, sent }, async () => {
      for (const query of queries) {
        const { meta } = await list({ ...query, per_page: '20' });
        if (meta.next_cursor) await list({ ...query, per_page: '20', cursor: meta.next_cursor });
      }
      const [id] = ids(await list({}));
      const path = `/api/v1/customers/${id}`;
      await crm.api(LARGE_TENANT, 'GET', path);
      await crm.api(LARGE_TENANT, 'PATCH', path, { name: 'Somebody else' });
      await crm.api(LARGE_TENANT, 'POST', '/api/v1/customers', { name: 'Somebody', phone: '+493023125999' });
      await internal(calls, 'POST', `${tenant}/customers/by-phone`, {
        phone: '+493023125999',
        create: false,
      });
      await internal(operator, 'POST', `${tenant}/customers/by-ids`, { ids: [id] });
      await internal(operator, 'GET', `${tenant}/customers/${id}`);
      const scheduling = { issuer: 'scheduling', role: 'service' } as const;
      await internal(scheduling, 'GET', '/internal/snapshots/customers?after_tenant=1&after_id=1');
      await takeInVisits(crm.database, [
        {
          tenant_id: LARGE_TENANT,
          appointment_id: 1,
          customer_id: id ?? 0,
          status: 'completed',
          version: 3,
          price_minor: 4_500,
          currency: 'EUR',
          date: '2030-01-01',
        },
      ]);
    });
  });
});
