import type { Call, DomainEvent } from '@frontdesk/contracts';
import { MAX_TRANSCRIPT_BYTES } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { createConsumer } from '@frontdesk/events';
import { createMetrics } from '@frontdesk/service';
import {
  collectDeadLetters,
  eventually,
  kafkaClient,
  logger,
  progressBox,
  removeTopics,
} from '../../../support/index.ts';
import { type CallsWorld, type Source, startCalls } from '../calls-world.ts';
import {
  genericCall,
  newCallId,
  newCallSid,
  retellAnalysed,
  retellEnded,
  twilioStatus,
} from '../sample-calls.ts';
import { genericMessage, retellMessage, twilioMessage } from '../signed-messages.ts';

const fill = systemSql<
  never,
  { tenantId: number; sourceId: number; type: string; before: string; after: string }
>(
  'test_fill',
  `insert into call_messages (tenant_id, source_id, digest, content_type, url, body)
   select $tenantId, $sourceId, sha256(n::text::bytea), $type, '', convert_to($before::text || n || $after::text, 'UTF8') from generate_series(1, 75) n`,
);
const countUnread = systemSql<{ count: number }, { tenantId: number }>(
  'test_count_unread',
  `select count(*) as count from call_messages where tenant_id = $tenantId and status = 'received'`,
);

describe('calls with long or many messages', () => {
  let calls: CallsWorld;
  let tenant: number;
  let source: Source;
  beforeAll(async () => {
    calls = await startCalls({ isWhole: true });
  });
  beforeEach(async () => {
    tenant = calls.newTenant();
    source = await calls.newSource(tenant);
  });
  afterAll(async () => {
    await calls.stop();
    await removeTopics(calls.config.KAFKA_PREFIX);
  });

  /** As many utterances of a KiB. */
  const transcriptOf = (kibibytes: number) =>
    Array.from({ length: kibibytes }, (_, n) => ({
      role: 'customer',
      text: `${n} ${'ü'.repeat(480)}`,
      start: n,
      end: n + 1,
    }));
  const send = async (fields: object) => {
    const answer = await calls.ingest(source, genericMessage(genericCall({ ...fields }), source));
    expect(answer.status).toBe(202);
    return answer.body.data.id;
  };

  it('have their transcript cut at 2 MiB, marked as such, and are announced all the same', async () => {
    const seen: DomainEvent[] = [];
    const reader = createConsumer({
      kafka: kafkaClient(calls.config.KAFKA_PREFIX),
      group: 'reader',
      topics: ['calls'],
      deadLetters: collectDeadLetters(),
      progress: progressBox(),
      logger,
      metrics: createMetrics(),
      apply: async (events) => {
        seen.push(...events);
      },
    });
    await reader.start();
    const transcript = transcriptOf(3 * 1024);
    await send({ transcript });
    await send({ transcript: transcript.slice(0, 3) });
    await calls.settled(tenant);
    const { data } = await calls.list(tenant);
    const views: Call[] = await Promise.all(data.map(({ id }: { id: number }) => calls.callOf(tenant, id)));
    const [cut, ...others] = views.toSorted((a, b) => b.transcript.length - a.transcript.length);
    expect(cut?.transcript_truncated).toBe(true);
    expect(others.map((view) => view.transcript_truncated)).toEqual([false]);
    const bytes = Buffer.byteLength(JSON.stringify(cut?.transcript));
    expect(bytes).toBeLessThanOrEqual(MAX_TRANSCRIPT_BYTES);
    expect(bytes).toBeGreaterThan(MAX_TRANSCRIPT_BYTES - 2_048);
    expect(cut?.transcript.slice(0, 100)).toEqual(transcript.slice(0, 100));
    await eventually(() => expect(seen.map((event) => event.data)).toEqual(expect.arrayContaining([cut])));
    await reader.stop();
  });

  it.each([
    ['while it went on, its end', 'twilio'],
    ['about its end, its analysis', 'retell'],
  ] as const)('keep what matters: after more messages than are kept %s', async (_what, provider) => {
    const from = await calls.newSource(tenant, provider);
    const [id, sid] = [newCallId(), newCallSid()];
    const [many, decisive] =
      provider === 'twilio'
        ? [
            `${new URLSearchParams({ ...twilioStatus(sid), CallStatus: 'in-progress' })}&SequenceNumber=`,
            twilioMessage(twilioStatus(sid, { From: '' }), from),
          ]
        : [
            JSON.stringify(retellEnded(id, { from_number: null })).replace(
              /\}\}$/,
              ',"recording_url":"https://a.example/',
            ),
            retellMessage(retellAnalysed(id, { from_number: null }), from),
          ];
    const end = provider === 'twilio' ? '' : '"}}';
    const type = decisive.headers['content-type'] ?? '';
    await calls.database.system.run(fill, {
      tenantId: tenant,
      sourceId: from.id,
      type,
      before: many,
      after: end,
    });
    const unread = async () => (await calls.database.system.one(countUnread, { tenantId: tenant })).count;
    await eventually(async () => expect(await unread()).toBe(0));
    expect((await calls.ingest(from, decisive)).status).toBe(202);
    const [message] = await calls.settled(tenant);
    expect(message).toMatchObject({ status: 'applied' });
    const [call] = (await calls.list(tenant)).data;
    expect(call).toMatchObject({ duration: 120, sentiment: provider === 'twilio' ? null : 'positive' });
  });

  it('hold a limited amount of each kind; what exceeds it stays a message', async () => {
    const call = { provider_call_id: newCallId(), from_number: null };
    for (let nth = 0; nth < 60; nth += 1) await send({ ...call, summary: `Version ${nth}` });
    const messages = await calls.settled(tenant);
    const { applied = [], ignored = [] } = Object.groupBy(
      messages as { status: 'applied' | 'ignored'; reason: string | null }[],
      ({ status }) => status,
    );
    expect([applied.length, ignored.length]).toEqual([50, 10]);
    expect(ignored.map(({ reason }) => reason)).toContain(
      'The call’s other messages already hold as much as is kept of one call.',
    );
    expect((await calls.list(tenant)).meta.total).toBe(1);
  });
});
