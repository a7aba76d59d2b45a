import { type CallsWorld, startCalls } from '../calls-world.ts';
import { genericCall } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

let calls: CallsWorld;

beforeAll(async () => {
  calls = await startCalls();
});
afterAll(() => calls.stop());

it.each(['text', 'garbage', 'a/b/c', 'application/json, application/json', ';', ''])(
  '202 for a signed message of the type “%s”, which is stored with it and read',
  async (type) => {
    const tenant = calls.newTenant();
    const source = await calls.newSource(tenant);
    const { body, headers } = genericMessage(genericCall(), source);
    const answer = await calls.ingest(source, { body, headers: { ...headers, 'content-type': type } });
    expect(answer.status).toBe(202);
    const [message] = await calls.settled(tenant);
    expect(message).toMatchObject({ id: answer.body.data.id, status: 'applied', content_type: type });
  },
);
