import { type CallsWorld, type Source, startCalls } from '../calls-world.ts';
import { newCallId, newCallSid, retellAnalysed, retellEnded, twilioStatus } from '../sample-calls.ts';
import { retellMessage, type SignedMessage, twilioMessage } from '../signed-messages.ts';

const PROCESSES = 3;

describe('several processes at once', () => {
  let calls: CallsWorld;
  let tenant: number;
  let others: Awaited<ReturnType<CallsWorld['startAnother']>>[];
  beforeAll(async () => {
    calls = await startCalls();
    others = await Promise.all(
      Array.from({ length: PROCESSES - 1 }, () => calls.startAnother(['message reader', 'announcer'])),
    );
  });
  beforeEach(() => {
    tenant = calls.newTenant();
  });
  afterAll(async () => {
    for (const other of others) await other.stop();
    await calls.stop();
  });

  /** Each to another process. */
  const ingestAll = (source: Source, messages: SignedMessage[]) => {
    const apis = [calls.service.api, ...others.map(({ service }) => service.api)];
    return Promise.all(
      messages.map((message, nth) =>
        calls.ingestAt(apis[nth % apis.length] ?? calls.service.api, source.path, message),
      ),
    );
  };

  it('take one message once, however often it comes at the same moment', async () => {
    const source = await calls.newSource(tenant, 'retell');
    const message = retellMessage(retellAnalysed(newCallId()), source);
    const answers = await ingestAll(source, Array(12).fill(message));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    await calls.settled(tenant);
    expect(await calls.eventTypes(tenant)).toEqual(['call.ended']);
    expect((await calls.list(tenant)).meta.total).toBe(1);
  });

  it('make one call of two messages that come together, and announce it once', async () => {
    const source = await calls.newSource(tenant, 'retell');
    const ids = Array.from({ length: 20 }, () => newCallId());
    const messages = ids.flatMap((id) => [retellEnded(id), retellAnalysed(id)]);
    await ingestAll(
      source,
      messages.map((message) => retellMessage(message, source)),
    );
    await calls.settled(tenant);
    const events = await calls.events(tenant);
    expect(events.map(({ type }) => type)).toEqual(Array(ids.length).fill('call.ended'));
    expect(events.map(({ data }) => data.sentiment)).toEqual(Array(ids.length).fill('positive'));
    expect((await calls.list(tenant)).meta.total).toBe(ids.length);
  });

  it('come to the same record in whatever order messages arrive', async () => {
    const source = await calls.newSource(tenant, 'twilio');
    const formsOf = (CallSid: string) => [
      { ...twilioStatus(CallSid), CallStatus: 'ringing', Timestamp: 'Mon, 02 Mar 2026 09:59:50 +0000' },
      { ...twilioStatus(CallSid), CallStatus: 'in-progress', Timestamp: 'Mon, 02 Mar 2026 10:00:00 +0000' },
      twilioStatus(CallSid),
      { CallSid, RecordingStatus: 'completed', RecordingUrl: 'https://api.twilio.com/recording' },
    ];
    const orders = [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [2, 0, 3, 1],
      [1, 3, 0, 2],
    ];
    for (const order of orders) {
      const forms = formsOf(newCallSid());
      for (const nth of order) await calls.ingest(source, twilioMessage(forms[nth] ?? {}, source));
      await calls.settled(tenant);
    }
    await ingestAll(
      source,
      formsOf(newCallSid()).map((form) => twilioMessage(form, source)),
    );
    await calls.settled(tenant);

    const { data } = await calls.list(tenant);
    const records = await Promise.all(data.map(({ id }: { id: number }) => calls.callOf(tenant, id)));
    expect(records).toHaveLength(orders.length + 1);
    const own = { id: 0, provider_call_id: '', created_at: '', updated_at: '' };
    for (const record of records) expect({ ...record, ...own }).toEqual({ ...records[0], ...own });
    expect(records[0]).toMatchObject({
      started_at: '2026-03-02T10:00:00.000Z',
      ended_at: '2026-03-02T10:02:00.000Z',
      recording_url: 'https://api.twilio.com/recording',
      duration: 120,
      direction: 'inbound',
      missed: false,
    });
  });
});
