import type { Call } from '@frontdesk/contracts';
import { eventually } from '../../../support/index.ts';
import { type CallsWorld, startCalls } from '../calls-world.ts';
import { genericCall, newCallId, vapiReport } from '../sample-calls.ts';
import { genericMessage, type SignedMessage, twilioMessage, vapiMessage } from '../signed-messages.ts';

describe('a message that is sent as a test', () => {
  let calls: CallsWorld;
  beforeAll(async () => {
    calls = await startCalls();
  });
  afterAll(() => calls.stop());

  const sendTest = async (body: object | string, query = '?test=true') => {
    const source = await calls.newSource(calls.newTenant());
    const path = source.path + query;
    return { source, answer: await calls.ingest({ path }, genericMessage(body, source)) };
  };

  it.each([
    ['no JSON', 'hello', 'The body is not valid JSON.'],
    ['without its end', genericCall({ ended_at: undefined }), 'ended_at is missing.'],
    [
      'with a wrong direction and no id',
      genericCall({ direction: 'sideways', provider_call_id: '' }),
      'provider_call_id must be text of at most 255 characters. direction must be inbound or outbound.',
    ],
    [
      'that ends too early',
      genericCall({ ended_at: '2026-03-02T09:00:00Z' }),
      'ended_at is before started_at.',
    ],
  ])('202: %s: the answer says that it can’t be read, and why', async (_name, body, reason) => {
    const { source, answer } = await sendTest(body);
    expect(answer.status).toBe(202);
    const { id } = answer.body.data;
    expect(answer.body.data).toEqual({ id, status: 'unreadable', reason, call_id: null });
    expect(await calls.messages(source.tenantId)).toMatchObject([{ id, is_test: true, reason }]);
  });

  it('202: a readable one: the answer names its call, which is a test', async () => {
    const { source, answer } = await sendTest(genericCall());
    const { call_id } = answer.body.data;
    expect(answer).toMatchObject({ status: 202, body: { data: { status: 'applied', reason: null } } });
    expect(await calls.callOf(source.tenantId, call_id)).toMatchObject({ id: call_id, test: true });
  });

  it('the same bytes sent for real afterwards are a call of their own, and each repetition its own message', async () => {
    const body = genericCall();
    const { source, answer } = await sendTest(body);
    const send = (query = '') =>
      calls
        .ingest({ path: source.path + query }, genericMessage(body, source))
        .then(({ body: of }) => of.data);
    const real = await send();
    expect(real).toEqual({ id: expect.any(Number), status: 'received' });
    expect(real.id).not.toBe(answer.body.data.id);
    expect([(await send()).id, await send('?test=true')]).toEqual([real.id, answer.body.data]);
    await calls.settled(source.tenantId);
    const listed = (await calls.list(source.tenantId)).data;
    expect(listed.map(({ test }: { test?: true }) => test)).toEqual([undefined, true]);
    for (const { id } of listed) {
      const { provider_call_id } = await calls.callOf(source.tenantId, id);
      expect(provider_call_id).toBe(body.provider_call_id);
    }
  });

  it.each(['generic', 'vapi'] as const)(
    'a real message with the id of a tested call is no test, and no test changes a real call (%s)',
    async (provider) => {
      const source = await calls.newSource(calls.newTenant(), provider);
      const id = newCallId();
      const send = (summary: string, query = '') => {
        const message =
          provider === 'generic'
            ? genericMessage(genericCall({ provider_call_id: id, summary }), source)
            : vapiMessage(vapiReport(id, { analysis: { summary } }), source);
        return calls.ingest({ path: source.path + query }, message);
      };
      await send('a test', '?test=true');
      await send('real');
      await calls.settled(source.tenantId);
      // Whose text sorts last would be believed.
      await send('surely a test', '?test=true');
      const listed = (await calls.list(source.tenantId, { sort: 'started_at' })).data;
      const all = await Promise.all(listed.map((call: Call) => calls.callOf(source.tenantId, call.id)));
      expect(all.map(({ test, summary }) => [test, summary])).toEqual([
        [true, 'surely a test'],
        [undefined, 'real'],
      ]);
      await eventually(async () =>
        expect((await calls.events(source.tenantId)).filter(({ data }) => !data.test)).toMatchObject([
          { type: 'call.ended', data: { summary: 'real' } },
        ]),
      );
    },
  );

  it('202: Twilio signs the address with its query', async () => {
    const source = await calls.newSource(calls.newTenant(), 'twilio');
    const url = `${source.url}?test=true`;
    const fields = { CallSid: newCallId('CA'), CallStatus: 'odd', Direction: 'inbound' };
    const message: SignedMessage = twilioMessage(fields, { ...source, url });
    const answer = await calls.ingest({ path: `${source.path}?test=true` }, message);
    expect(answer.body.data).toMatchObject({ status: 'unreadable', reason: 'The CallStatus is unknown.' });
  });

  it('401: without a valid signature nothing is said', async () => {
    const source = await calls.newSource(calls.newTenant());
    const { headers } = genericMessage('hello', source);
    const answer = await calls.ingest({ path: `${source.path}?test=true` }, { body: 'other', headers });
    expect([answer.status, answer.body.data]).toEqual([401, undefined]);
  });

  it.each(['', '?test=1', '?test', '?x=true', '?test=false', '?test=%FF'])(
    'any other query is no test: %s',
    async (query) => {
      const { answer } = await sendTest('hello', query);
      expect(answer.body.data).toEqual({ id: expect.any(Number), status: 'received' });
    },
  );
});
