import { type Call, type DomainEvent, MAX_TRANSCRIPT_BYTES } from '@frontdesk/contracts';
import { createConsumer } from '@frontdesk/events';
import { createMetrics } from '@frontdesk/service';
import { eventually, kafkaClient, logger, removeTopics } from '../../support/index.ts';
import { type CallsWorld, type Source, startCalls } from './calls-world.ts';
import { genericCall, newCallId } from './sample-calls.ts';
import { genericMessage } from './signed-messages.ts';

const MEBIBYTE = 1024 * 1024;

describe('calls that are told of at length', () => {
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

  it('have their transcript cut at 2 MiB, marked as such, and told of all the same', async () => {
    const seen: DomainEvent[] = [];
    const reader = createConsumer({
      ...{ kafka: kafkaClient(calls.config.KAFKA_PREFIX), group: 'reader', topics: ['calls'] },
      ...{ logger, metrics: createMetrics() },
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

  it('hold only so much: what goes beyond is kept as a message', async () => {
    const provider_call_id = newCallId();
    for (let nth = 0; nth < 5; nth += 1)
      await send({ provider_call_id, summary: `Version ${nth}`, transcript: transcriptOf(4 * 1024) });
    const messages = await calls.settled(tenant);
    const { applied = [], ignored = [] } = Object.groupBy(
      messages as { status: 'applied' | 'ignored'; reason: string | null; bytes: number }[],
      ({ status }) => status,
    );
    expect(applied.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(17 * MEBIBYTE);
    expect(ignored.map(({ reason }) => reason)).toContain(
      'Other messages of this call hold all that is kept of one.',
    );
    expect((await calls.list(tenant)).meta.total).toBe(1);
  });
});
