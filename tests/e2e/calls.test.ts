import type { Call, CallListEntry, Customer, WebhookPayload } from '@frontdesk/contracts';
import { Webhook } from 'standardwebhooks';
import { eventually, startReceiver } from '../support/index.ts';
import { type Business, createBusiness, createCustomer } from './support/business.ts';
import { createCallSource, endedCall, type MadeSource, sendCall } from './support/calls.ts';
import { openTarget, type Target } from './support/target.ts';

describe('a business whose phone is answered by an agent', () => {
  let target: Target;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let business: Business;
  let source: MadeSource;
  /** What came in, its signature checked as it came. */
  const payloads: (WebhookPayload & { data: Call })[] = [];

  beforeAll(async () => {
    target = await openTarget();
    receiver = await startReceiver({ host: target.receiverListensOn });
    business = await createBusiness(target, 'Salon Ringing');
    const forTenant = ['--tenant', String(business.tenant.id)];
    source = await createCallSource(target, business.tenant.id);
    const url = `http://${target.receiverHost}:${new URL(receiver.url).port}/hooks`;
    const { secret } = await target.operator.json<{ secret: string }>([
      ...['webhook', 'create', ...forTenant, '--url', url, '--events', 'call.ended,call.missed'],
    ]);
    receiver.respondWith(({ rawBody, headers }) => {
      const verified = new Webhook(secret).verify(rawBody, headers as Record<string, string>);
      payloads.push(verified as WebhookPayload & { data: Call });
      return { status: 200 };
    });
  });

  afterAll(() => receiver?.close());

  /** The payload that came under this event's name for this call. */
  const delivered = (event: string, providerCallId: string) =>
    eventually(() => {
      const found = payloads.find(
        (payload) => payload.event === event && payload.data.provider_call_id === providerCallId,
      );
      if (!found) throw new Error(`no ${event} yet`);
      return found;
    });

  it('sends the receiver a signed call.ended, and lists the call through the API', async () => {
    const { api } = business;
    const customer = await createCustomer(api, 'Mia Wong', '030 901830');
    const call = endedCall();
    expect(await sendCall(target, source, call)).toMatchObject({ status: 202, body: { success: true } });

    const payload = await delivered('call.ended', call.provider_call_id);
    expect(payload.data).toMatchObject({
      customer_id: customer.id,
      duration: 150,
      missed: false,
      provider: 'generic',
      source: 'Agent',
      outcome: 'booked',
      sentiment: 'positive',
      sentiment_source: 'provider',
      quality_score: 91,
      summary: call.summary,
      transcript: call.transcript,
      transcript_truncated: false,
    });
    const single = (await api<Call>('GET', `/calls/${payload.data.id}`)).data();
    expect(single).toEqual(payload.data);

    const listed = await api<CallListEntry[]>('GET', '/calls?from_date=2026-03-02&to_date=2026-03-02');
    expect(listed.data().map(({ id }) => id)).toEqual([single.id]);
    expect(listed.data()[0]).not.toHaveProperty('transcript');
    const nobody = await api<CallListEntry[]>('GET', '/calls?missed=true&sentiment=negative');
    expect(nobody.data()).toEqual([]);
    const other = await createBusiness(target, 'Salon Elsewhere');
    expect((await other.api('GET', `/calls/${single.id}`)).status).toBe(404);
  });

  it('sends two events for a missed one, and makes a lead of the caller', async () => {
    const { api } = business;
    const call = endedCall({
      from_number: '+4930901831',
      ended_at: '2026-03-02T10:00:09+01:00',
      outcome: 'no_answer',
      sentiment: undefined,
      transcript: undefined,
    });
    await sendCall(target, source, call);
    const [ended, missed] = await Promise.all([
      delivered('call.ended', call.provider_call_id),
      delivered('call.missed', call.provider_call_id),
    ]);
    expect(missed.data).toMatchObject({ id: ended.data.id, missed: true, duration: 9, outcome: 'no_answer' });
    const lead = (await api<Customer>('GET', `/customers/${missed.data.customer_id}`)).data();
    expect(lead).toMatchObject({ phone: '+4930901831', segment: 'lead', source: 'call' });
    const list = await api<CallListEntry[]>('GET', '/calls?missed=true');
    expect(list.data().map(({ id }) => id)).toEqual([missed.data.id]);
  });

  it('takes the same message once, and nothing that is stale or signed by someone else', async () => {
    const call = endedCall({ from_number: '+4930901832' });
    const stale = await sendCall(target, source, call, new Date(Date.now() - 3_600_000));
    const forged = await sendCall(
      target,
      { ...source, secret: `whsec_${Buffer.alloc(32).toString('base64')}` },
      call,
    );
    expect([stale, forged]).toMatchObject([
      { status: 401, body: { code: 'unauthorized' } },
      { status: 401, body: { code: 'unauthorized' } },
    ]);
    expect(
      (await Promise.all(Array.from({ length: 3 }, () => sendCall(target, source, call)))).map(
        ({ status }) => status,
      ),
    ).toEqual([202, 202, 202]);
    const { data } = await delivered('call.ended', call.provider_call_id);
    const found = (
      await business.api<CallListEntry[]>('GET', `/calls?customer_id=${data.customer_id}`)
    ).data();
    expect(found.map(({ id }) => id)).toEqual([data.id]);
    expect((await business.api('GET', '/calls')).body).toMatchObject({ meta: { total: 3 } });
  });
});
