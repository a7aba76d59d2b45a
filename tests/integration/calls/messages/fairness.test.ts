import { systemSql } from '@frontdesk/database';
import { Client } from 'pg';
import { findDueMessages } from '../../../../services/calls/src/messages/call-message.repository.ts';
import { eventually } from '../../../support/index.ts';
import { type CallsWorld, type Source, startCalls } from '../calls-world.ts';
import { genericCall, newCallId } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

const MEBIBYTE = 1024 * 1024;

const keptBytes = systemSql<{ bytes: number; transcripts: number }, { tenantId: number }>(
  'test_kept_bytes',
  `select (select sum(bytes)::bigint from call_patches where tenant_id = $tenantId) as bytes,
     (select sum(octet_length(utterances::text)) from call_transcripts where tenant_id = $tenantId) as transcripts`,
);

describe('the messages of one tenant', () => {
  let calls: CallsWorld;
  let [busy, other]: Source[] = [];
  beforeAll(async () => {
    calls = await startCalls();
  });
  beforeEach(async () => {
    busy = await calls.newSource(calls.newTenant());
    other = await calls.newSource(calls.newTenant());
  });
  afterAll(() => calls.stop());

  const send = async (to: Source | undefined, fields: object = {}) => {
    if (!to) throw new Error('No source.');
    const answer = await calls.ingest(to, genericMessage(genericCall({ from_number: null, ...fields }), to));
    expect(answer.status).toBe(202);
  };
  const statuses = async (of: Source | undefined) =>
    (await calls.messages(of?.tenantId ?? 0, '?per_page=100')).map(
      ({ status }: { status: string }) => status,
    );

  it('stop no other tenant’s, however many there are and however long they take', async () => {
    const provider_call_id = newCallId();
    await send(busy, { provider_call_id });
    await calls.settled(busy?.tenantId ?? 0);
    const client = new Client({ connectionString: calls.config.DATABASE_URL });
    await client.connect();
    await client.query('begin');
    await client.query('select from calls where tenant_id = $1 for update', [busy?.tenantId]);
    for (let nth = 0; nth < 10; nth += 1) await send(busy, { provider_call_id, summary: `Version ${nth}` });

    for (let nth = 0; nth < 3; nth += 1) await send(other);
    await calls.settled(other?.tenantId ?? 0);
    expect(await statuses(other)).toEqual(Array(3).fill('applied'));
    expect(await statuses(busy)).toEqual([...Array(10).fill('received'), 'applied']);

    await client.query('rollback');
    await client.end();
    await calls.settled(busy?.tenantId ?? 0);
    expect(await statuses(busy)).toEqual(Array(11).fill('applied'));
  });

  it('are read in turn with the others’: of each tenant the message that waits longest', async () => {
    const idle = await startCalls({ workers: [] });
    const sources = [await idle.newSource(idle.newTenant()), await idle.newSource(idle.newTenant())];
    const [first, second] = sources as [Source, Source];
    const ids: number[] = [];
    for (const to of [first, first, first, second, second])
      ids.push((await idle.ingest(to, genericMessage(genericCall(), to))).body.data.id);
    const due = (without: number[]) => findDueMessages(idle.database.system, without, 50);
    const turns = [
      { tenant_id: first.tenantId, id: ids[0] },
      { tenant_id: second.tenantId, id: ids[3] },
    ];
    expect(await due([])).toEqual(turns);
    expect(await due([first.tenantId])).toEqual(turns.slice(1));
    await idle.stop();
  });

  it('are kept with the best transcript alone, and announced once for many changes', async () => {
    const own = await startCalls({ workers: ['message reader'] });
    const source = await own.newSource(own.newTenant());
    const send = async (fields: object) => {
      const call = genericCall({ provider_call_id, from_number: null, ...fields });
      expect((await own.ingest(source, genericMessage(call, source))).status).toBe(202);
    };
    const provider_call_id = newCallId();
    const spoken = (nth: number) =>
      Array.from({ length: 9_000 }, (_, n) => ({
        role: 'customer',
        text: `Utterance ${nth} ${n} ${'ü'.repeat(200)}`,
      }));
    for (const nth of [1, 2, 3]) await send({ transcript: spoken(nth) });
    for (let nth = 0; nth < 40; nth += 1) await send({ summary: `Version ${10 + nth}` });
    const { tenantId: tenant } = source;
    await own.settled(tenant);
    const kept = await own.database.system.one(keptBytes, { tenantId: tenant });
    expect(kept.bytes).toBeLessThan(50_000);
    expect(kept.transcripts).toBeLessThanOrEqual(2 * MEBIBYTE);

    const [{ id }] = (await own.list(tenant)).data;
    const view = await own.callOf(tenant, id);
    expect(view).toMatchObject({ summary: 'Version 49', transcript_truncated: true });
    const announcer = await own.startAnother(['announcer']);
    await eventually(async () =>
      expect(await own.eventTypes(tenant)).toEqual(['call.ended', 'call.updated']),
    );
    expect((await own.events(tenant)).at(-1)?.data).toEqual(view);
    await announcer.stop();
    await own.stop();
  });
});
