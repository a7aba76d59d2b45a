import { systemSql } from '@frontdesk/database';
import { startCalls } from '../calls-world.ts';
import { newCallSid, twilioStatus } from '../sample-calls.ts';
import { twilioMessage } from '../signed-messages.ts';

const age = systemSql<never, { id: number; minutes: number }>(
  'test_age_message',
  `update call_messages set received_at = now() - $minutes * interval '1 minute' where id = $id`,
);

it('an end that no message dates is when the first message about it came in, whatever came before and after', async () => {
  const calls = await startCalls({ workers: [] });
  const tenant = calls.newTenant();
  const source = await calls.newSource(tenant, 'twilio');
  const { Timestamp: _, ...undated } = twilioStatus(newCallSid(), { From: '' });
  const send = async (fields: Record<string, string>, minutesAgo: number): Promise<number> => {
    const { data } = (await calls.ingest(source, twilioMessage({ ...undated, ...fields }, source))).body;
    await calls.database.system.run(age, { id: data.id, minutes: minutesAgo });
    return data.id;
  };
  await send({ CallStatus: 'ringing' }, 90);
  // What is read first is about neither the beginning nor the end that counts.
  await send({ SequenceNumber: '2' }, 30);
  const first = await send({ SequenceNumber: '1' }, 60);
  await send({ RecordingStatus: 'completed', RecordingUrl: 'https://api.twilio.com/recording' }, 10);
  const reader = await calls.startAnother(['message reader']);
  await calls.settled(tenant);
  await reader.stop();
  const message = await calls.admin('GET', `/internal/tenants/${tenant}/call-messages/${first}`);
  const [call] = (await calls.list(tenant)).data;
  expect(call.ended_at).toBe(message.body.data.received_at);
  await calls.stop();
});
