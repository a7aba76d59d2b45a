import { systemSql } from '@frontdesk/database';
import { createPublisher } from '@frontdesk/events';
import { Client } from 'pg';
import {
  eventOf,
  eventually,
  kafkaClient,
  lockWaits,
  logger,
  recordOf,
  removeTopics,
  sampleCustomer,
} from '../../../support/index.ts';
import { startCalls } from '../calls-world.ts';
import { genericCall } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

const NUMBER = '+493023125001';

const countNumbers = systemSql<{ known: number }>(
  'test_known',
  'select count(*) as known from customer_numbers',
);

it('a customer whose event comes while their call is being written is linked to it', async () => {
  const calls = await startCalls({ isWhole: true });
  const publisher = createPublisher({ kafka: kafkaClient(calls.config.KAFKA_PREFIX), logger });
  await publisher.start();
  await eventually(async () => {
    const answer = await calls.service.internal.inject({ method: 'GET', url: '/health/ready' });
    expect(answer.json()).toEqual({ status: 'ready' });
  });
  const tenant = calls.newTenant();
  const source = await calls.newSource(tenant);
  const blocker = new Client({ connectionString: calls.config.DATABASE_URL });
  await blocker.connect();

  // The call has been looked for its customer, in vain, and stands before its transcript.
  await blocker.query('begin');
  await blocker.query('lock table call_transcripts in access exclusive mode');
  const call = genericCall({ from_number: NUMBER, transcript: [{ role: 'agent', text: 'Hello' }] });
  await calls.ingest(source, genericMessage(call, source));
  await eventually(async () => expect((await lockWaits(calls.database)).tables).toBeGreaterThan(0));
  // The process that learns the number either waits for the call, or has learnt it by now.
  await publisher.publish([
    recordOf(eventOf('customer.created', tenant, sampleCustomer({ id: 71, phone: NUMBER }))),
  ]);
  await eventually(async () => {
    const { advisory: numbers } = await lockWaits(calls.database);
    const { known } = await calls.database.system.one(countNumbers);
    expect(numbers + known).toBe(1);
  });
  await blocker.query('rollback');
  await blocker.end();

  await eventually(async () =>
    expect((await calls.list(tenant)).data).toEqual([expect.objectContaining({ customer_id: 71 })]),
  );
  const types = async () => [...new Set(await calls.eventTypes(tenant))];
  await eventually(async () => expect((await calls.events(tenant)).at(-1)?.data.customer_id).toBe(71));
  expect((await types())[0]).toBe('call.ended');
  await publisher.stop();
  await calls.stop();
  await removeTopics(calls.config.KAFKA_PREFIX);
});
