import type { Appointment } from '@frontdesk/contracts';
import {
  type ArrivedSpan,
  eventually,
  type OtlpReceiver,
  type Receiver,
  startOtlpReceiver,
  startReceiver,
} from '../support/index.ts';
import { type Business, bookingOf, createBusiness, freeSlots } from './support/business.ts';
import { type LocalSystem, startLocalSystem } from './support/local-system.ts';
import { targetOf } from './support/target.ts';

const CUSTOMER = { name: 'Zacharias Quibble', phone: '+49 30 90182777', email: 'zacharias@quibble.example' };
const NOTES = 'Allergic to henna, prefers the window seat';
/** What a client says of its own trace: it wants no sample of it. */
const CLIENT = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const RECEIVER_TOKEN = 'token-of-the-receiver';

describe('a system that is given an endpoint for traces', () => {
  let collector: OtlpReceiver;
  let receiver: Receiver;
  let system: LocalSystem;
  let business: Business & { key: string };
  let customerId: number;

  beforeAll(async () => {
    collector = await startOtlpReceiver();
    receiver = await startReceiver();
    system = await startLocalSystem({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const target = targetOf(system);
    business = await createBusiness(target, 'Salon Traced');
    for (const path of ['first', 'second']) {
      const url = `${receiver.url}/${path}?token=${RECEIVER_TOKEN}`;
      const words = `webhook create --tenant ${business.tenant.id} --url ${url} --events appointment.created`;
      await target.operator.json(words.split(' '));
    }
    customerId = (await business.api<{ id: number }>('POST', '/customers', { body: CUSTOMER })).data().id;
    // What a client writes into an address.
    for (const path of ['/customers?search=Quibble', '/customers/Quibble', '/appointments/90182777/x'])
      await business.api('GET', path);
  });

  afterAll(async () => {
    await system?.stop();
    await receiver?.close();
    await collector?.close();
  });

  const book = async (traceparent: string) => {
    const [slot] = await freeSlots(business, 2);
    if (!slot) throw new Error('no free slot');
    const answer = await fetch(`${system.urls.gateway}/api/v1/appointments`, {
      method: 'POST',
      headers: {
        traceparent,
        authorization: `Bearer ${business.key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ...bookingOf(slot, customerId, business.serviceId), notes: NOTES }),
    });
    const { data } = (await answer.json()) as { data: Appointment };
    return { status: answer.status, data };
  };

  it('sends the whole path of a booking: gateway, service, transaction, relay, consumer, each attempt', async () => {
    let failures = 0;
    receiver.respondWith(({ path }) => {
      if (!path.startsWith('/second') || failures > 0) return { status: 200 };
      failures += 1;
      return { status: 500 };
    });
    const { status } = await book(`00-${CLIENT.traceId}-${CLIENT.spanId}-00`);
    expect(status).toBe(201);

    // Each process sends its spans by itself, when it comes to it.
    await eventually(() => {
      const spans = collector.spans().filter(({ traceId }) => traceId === CLIENT.traceId);
      const pathTo = (span: ArrivedSpan): string[] => {
        const parent = spans.find(({ spanId }) => spanId === span.parentId);
        return [...(parent ? pathTo(parent) : [span.parentId]), `${span.service}: ${span.name}`];
      };
      const attempts = spans.filter(({ name }) => name === 'deliver');
      expect(attempts).toHaveLength(3);
      for (const attempt of attempts) {
        expect(pathTo(attempt)).toEqual([
          CLIENT.spanId,
          expect.stringMatching(/^gateway: POST \/api\/v1\/appointments/),
          'gateway: POST scheduling',
          'scheduling: POST /api/v1/appointments',
          'scheduling: transaction',
          'scheduling: publish appointments',
          'webhooks: process appointments',
          'webhooks: deliver',
        ]);
      }
      const outcomes = attempts.map(
        ({ attributes }) =>
          `${attributes['frontdesk.delivery.attempt']}: ${attributes['http.response.status_code']}`,
      );
      expect(outcomes.toSorted((a, b) => a.localeCompare(b))).toEqual(['1: 200', '1: 500', '2: 200']);
      // crm applies the event, too.
      expect(spans.map(({ service, name }) => `${service}: ${name}`)).toContain('crm: process appointments');
    });
  });

  it('links each batch to the events in it', async () => {
    const ofEvent = (name: string) =>
      collector.spans().filter((span) => span.traceId === CLIENT.traceId && span.name === name);
    const [transaction] = ofEvent('transaction').filter(({ service }) => service === 'scheduling');
    const [publish] = ofEvent('publish appointments');
    const batch = (name: string) => collector.spans().filter((span) => span.name === name);
    await eventually(() => {
      const linking = (name: string, to: ArrivedSpan | undefined) =>
        batch(name).filter(({ links }) => links.includes(to?.spanId ?? 'none'));
      expect(linking('publish batch', transaction)).toHaveLength(1);
      expect(linking('apply webhooks', publish).length).toBeGreaterThan(0);
    });
  });

  it('sends nothing that says who the customer is, nor an address of a receiver', () => {
    const bytes = collector.bytes();
    const secrets = [
      ...Object.values(CUSTOMER),
      ...['Zacharias', 'Quibble', '90182777', '+493090182777', NOTES, 'henna', RECEIVER_TOKEN],
      ...[business.key, 'Salon Traced'],
    ];
    expect(collector.spans().length).toBeGreaterThan(0);
    expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([]);
  });

  it('serves and delivers as ever while the collector answers nothing', async () => {
    collector.hang();
    receiver.requests.length = 0;
    const { status, data } = await book(`00-${'5'.repeat(32)}-${'5'.repeat(16)}-01`);
    expect(status).toBe(201);
    await eventually(() => {
      const bodies = receiver.requests.map(({ rawBody }) => JSON.parse(rawBody).data.id);
      expect(bodies.filter((id) => id === data.id)).toHaveLength(2);
    });
  });
});
