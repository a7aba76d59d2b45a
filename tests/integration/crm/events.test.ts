import { type DomainEvent, tenantSchema } from '@frontdesk/contracts';
import { createConsumer, createPublisher } from '@frontdesk/events';
import { type Component, createMetrics } from '@frontdesk/service';
import {
  collectDeadLetters,
  eventually,
  kafkaClient,
  logger,
  progressBox,
  removeTopics,
} from '../../support/index.ts';
import { appointmentEvent } from './appointment-event.ts';
import { type CrmWorld, startCrm } from './crm-world.ts';

describe('the crm among its neighbours, over Kafka', () => {
  let crm: CrmWorld;
  let publisher: ReturnType<typeof createPublisher>;
  let reader: Component;
  const seen: DomainEvent[] = [];

  beforeAll(async () => {
    crm = await startCrm({ isWhole: true });
    const kafka = kafkaClient(crm.config.KAFKA_PREFIX);
    publisher = createPublisher({ kafka, logger });
    await publisher.start();
    reader = createConsumer({
      kafka,
      group: 'reader',
      topics: ['customers'],
      logger,
      metrics: createMetrics(),
      deadLetters: collectDeadLetters(),
      progress: progressBox(),
      apply: async (events) => {
        seen.push(...events);
      },
    });
    await reader.start?.();
  });
  afterAll(async () => {
    await reader.stop?.();
    await publisher.stop();
    await crm.stop();
    await removeTopics(crm.config.KAFKA_PREFIX);
  });

  const publish = (topic: 'tenants' | 'appointments', event: DomainEvent | object) => {
    const { tenant_id, aggregate_id } = event as DomainEvent;
    return publisher.publish([{ topic, key: `${tenant_id}:${aggregate_id}`, value: JSON.stringify(event) }]);
  };

  it('becomes ready', async () => {
    await eventually(async () => {
      const answer = await crm.service.internal.inject({ method: 'GET', url: '/health/ready' });
      expect(answer.json()).toEqual({ status: 'ready' });
    });
  });

  it('publishes what happened to a customer, in order', async () => {
    const tenant = crm.newTenant();
    const body = { name: 'Anna', phone: '030 23125 123' };
    const created = await crm.api(tenant, 'POST', '/api/v1/customers', body);
    const { id } = created.body.data;
    const updated = await crm.api(tenant, 'PATCH', `/api/v1/customers/${id}`, { segment: 'vip' });
    await eventually(() => {
      const mine = seen.filter(({ tenant_id }) => tenant_id === tenant);
      // At least once each: what came again counts where it came first.
      const published = new Map(mine.map(({ event_id, type, data }) => [event_id, [type, data]]));
      expect([...published.values()]).toEqual([
        ['customer.created', created.body.data],
        ['customer.updated', updated.body.data],
      ]);
    });
  });

  it('counts an appointment that scheduling announces', async () => {
    const tenant = crm.newTenant();
    const body = { name: 'Bernd', phone: '030 23125 123' };
    const { id } = (await crm.api(tenant, 'POST', '/api/v1/customers', body)).body.data;
    const visit = { tenant_id: tenant, customer_id: id, id: 1, price: 45.5, date: '2026-03-02' } as const;
    await publish('appointments', appointmentEvent({ ...visit, version: 1, status: 'scheduled' }));
    await publish('appointments', appointmentEvent({ ...visit, version: 2, status: 'completed' }));
    await eventually(async () => {
      const { data } = (await crm.api(tenant, 'GET', `/api/v1/customers/${id}`)).body;
      expect(data).toMatchObject({ total_appointments: 1, total_spent: 45.5, last_visit_date: '2026-03-02' });
    });
  });

  it('learns of a tenant from its event, without asking the gateway', async () => {
    const tenant = crm.newTenant();
    crm.forgetTenant(tenant);
    const at = '2026-01-01T00:00:00Z';
    const data = tenantSchema.parse({
      id: tenant,
      name: 'From Kafka',
      plan: 'pro',
      status: 'active',
      created_at: at,
      updated_at: at,
      timezone: 'Asia/Tokyo',
      country: 'JP',
      currency: 'JPY',
    });
    await publish('tenants', {
      event_id: crypto.randomUUID(),
      type: 'tenant.created',
      schema_version: 1,
      occurred_at: at,
      tenant_id: tenant,
      aggregate_id: tenant,
      aggregate_version: 1,
      data,
    });
    await eventually(async () => {
      const answer = await crm.api(tenant, 'POST', '/api/v1/customers', {
        name: 'Emi',
        phone: '03-1234-5678',
      });
      expect(answer.body.data).toMatchObject({ currency: 'JPY' });
    });
  });
});
