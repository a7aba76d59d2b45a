import { createHmac } from 'node:crypto';
import type { Appointment, Customer, Service, WebhookPayload } from '@frontdesk/contracts';
import { Webhook } from 'standardwebhooks';
import { eventually, startReceiver } from '../support/index.ts';
import { bookingOf, createBusiness, createCustomer, freeSlots } from './support/business.ts';
import { openTarget, type Target } from './support/target.ts';

describe('a business on Frontdesk, from its first day', () => {
  let target: Target;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;

  beforeAll(async () => {
    target = await openTarget();
    receiver = await startReceiver({ host: target.receiverListensOn });
  });

  afterAll(() => receiver?.close());

  it('is set up, books through the gateway and sends the receiver signed webhooks', async () => {
    const business = await createBusiness(target, 'Salon Journey');
    const { api, serviceId, tenant } = business;
    const address = `http://${target.receiverHost}:${new URL(receiver.url).port}/hooks`;
    const endpoint = await target.operator.json<{ id: number; secret: string }>(
      `webhook create --tenant ${tenant.id} --url ${address} --events appointment.created,customer.created`.split(
        ' ',
      ),
    );
    expect(endpoint.secret).toMatch(/^whsec_/);

    const customer = await createCustomer(api, 'Mia Wong', '+49 30 901820');
    const [slot] = await freeSlots(business, 2);
    if (!slot) throw new Error('no free slot');
    const booked = await api<Appointment>('POST', '/appointments', {
      body: bookingOf(slot, customer.id, serviceId),
    });
    expect(booked.status).toBe(201);
    const appointment = booked.data();
    expect(appointment).toMatchObject({
      customer_id: customer.id,
      starts_at: slot.starts_at,
      status: 'scheduled',
      price: 45.5,
      currency: 'EUR',
    });

    const delivered = await eventually(async () => {
      const request = receiver.requests.find(
        ({ rawBody }) => payloadOf(rawBody).event === 'appointment.created',
      );
      if (!request) throw new Error('no webhook yet');
      return request;
    });
    const { headers, rawBody } = delivered;
    const expected = createHmac('sha256', endpoint.secret).update(rawBody).digest('hex');
    expect(headers['x-service-signature']).toBe(`sha256=${expected}`);
    const verified = new Webhook(endpoint.secret).verify(rawBody, headers as Record<string, string>);
    expect(verified).toMatchObject({ event: 'appointment.created', data: appointment });

    await eventually(async () => {
      const profile = (await api<Customer>('GET', `/customers/${customer.id}`)).data();
      expect(profile.total_appointments).toBe(1);
    });
    const again = await api('POST', '/appointments', {
      body: bookingOf(slot, customer.id, serviceId, appointment.staff_id),
    });
    expect(again.status).toBe(409);
  });

  it('stays invisible to another business, whose key finds none of its records', async () => {
    const first = await createBusiness(target, 'Salon Here');
    const second = await createBusiness(target, 'Salon There');
    const customer = await createCustomer(first.api, 'Noor Haddad', '+49 30 901821');

    expect((await second.api('GET', `/customers/${customer.id}`)).status).toBe(404);
    expect((await second.api('GET', `/services/${first.serviceId}`)).status).toBe(404);
    const services = (await second.api<Service[]>('GET', '/services')).data();
    expect(services.map(({ id }) => id)).toEqual([second.serviceId]);
  });

  it('is refused while it is suspended, and served again once it is resumed', async () => {
    const { api, tenant } = await createBusiness(target, 'Salon Pause');
    expect((await api('GET', '/services')).status).toBe(200);

    await target.operator.json(['tenant', 'suspend', '--tenant', String(tenant.id)]);
    await eventually(async () => {
      const refused = await api('GET', '/services');
      expect([refused.status, refused.body]).toMatchObject([403, { code: 'tenant_suspended' }]);
    });

    await target.operator.json(['tenant', 'resume', '--tenant', String(tenant.id)]);
    await eventually(async () => expect((await api('GET', '/services')).status).toBe(200));
  });
});

function payloadOf(rawBody: Buffer | string): WebhookPayload {
  return JSON.parse(String(rawBody)) as WebhookPayload;
}
