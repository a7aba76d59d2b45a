import { systemSql } from '@frontdesk/database';
import { createPublisher, withAdmin } from '@frontdesk/events';
import { eventually, kafkaClient, logger, removeTopics, uniqueTenantId } from '../../../support/index.ts';
import { appointmentEvent } from '../appointment-event.ts';
import { startCrm } from '../crm-world.ts';

const PAGES_AND_A_BIT = 2_345;

describe('empty visits', () => {
  it('fill themselves from scheduling’s snapshot, across pages and tenants', async () => {
    const [other, tenant] = [uniqueTenantId(), uniqueTenantId()].sort((a, b) => a - b) as [number, number];
    const held = (tenant_id: number, count: number) =>
      Array.from({ length: count }, (_, index) =>
        appointmentEvent({
          tenant_id,
          customer_id: 1,
          id: index + 1,
          version: 2,
          status: 'completed',
          price: 10,
          date: '2024-02-03',
        }),
      );
    const crm = await startCrm({
      isWhole: true,
      appointments: [...held(other, 5), ...held(tenant, PAGES_AND_A_BIT)],
    });
    const known = crm.newTenant({ id: tenant });
    const created = await crm.api(known, 'POST', '/api/v1/customers', {
      name: 'Anna',
      phone: '030 23125 123',
    });
    expect(created.body.data.id).toBe(1);

    await eventually(async () => {
      const { body } = await crm.api(known, 'GET', '/api/v1/customers/1');
      expect(body.data).toMatchObject({
        total_appointments: PAGES_AND_A_BIT,
        total_spent: PAGES_AND_A_BIT * 10,
        last_visit_date: '2024-02-03',
      });
    });
    await crm.stop();
  });
});

const gaps = systemSql<{ topic: string }>('test_gaps', 'select topic from event_gaps');

describe('visits of which Kafka has lost something', () => {
  it('fill themselves from scheduling’s snapshot once more', async () => {
    const appointments: ReturnType<typeof appointmentEvent>[] = [];
    const crm = await startCrm({ isWhole: true, appointments });
    const kafka = kafkaClient(crm.config.KAFKA_PREFIX);
    const publisher = createPublisher({ kafka, logger });
    await publisher.start();
    const sql = (text: string) => crm.database.system.run(systemSql(`test_${text}`.slice(0, 60), text));

    const tenant = crm.newTenant();
    const body = { name: 'Anna', phone: '030 23125 123' };
    const { id } = (await crm.api(tenant, 'POST', '/api/v1/customers', body)).body.data;
    const visit = {
      tenant_id: tenant,
      customer_id: id,
      price: 10,
      date: '2026-02-03',
      status: 'completed',
    } as const;
    const publish = (events: typeof appointments) =>
      eventually(() =>
        publisher.publish(
          events.map((event) => ({
            topic: 'appointments',
            key: `${tenant}:1`,
            value: JSON.stringify(event),
          })),
        ),
      );
    const total = async () =>
      (await crm.api(tenant, 'GET', `/api/v1/customers/${id}`)).body.data.total_appointments;

    const first = appointmentEvent({ ...visit, id: 1, version: 1 });
    const lost = appointmentEvent({ ...visit, id: 2, version: 1 });
    const later = appointmentEvent({ ...visit, id: 3, version: 1 });
    appointments.push(first);
    await publish([first]);
    await eventually(async () => expect(await total()).toBe(1));

    // While the crm can't apply it, what retention does.
    await sql('alter table visits rename to visits_away');
    appointments.push(lost);
    await publish([lost]);
    const topic = kafka.nameOf('appointments');
    await withAdmin(kafka, async (admin) => {
      const offsets = await admin.fetchTopicOffsets(topic);
      const partitions = offsets
        .filter(({ high }) => high !== '0')
        .map(({ partition, high }) => ({ partition, offset: high }));
      expect(partitions).toHaveLength(1);
      await eventually(() => admin.deleteTopicRecords({ topic, partitions }));
    });
    await publish([later]);
    await eventually(async () => expect(await crm.database.system.many(gaps)).toHaveLength(1));
    await sql('alter table visits_away rename to visits');

    await eventually(async () => expect(await total()).toBe(3));
    await publisher.stop();
    await crm.stop();
    await removeTopics(crm.config.KAFKA_PREFIX);
  });
});
