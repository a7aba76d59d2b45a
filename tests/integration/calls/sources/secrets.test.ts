import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { systemSql } from '@frontdesk/database';
import { request } from 'undici';
import { eventually, freePort } from '../../../support/index.ts';
import { type CallsWorld, startCalls } from '../calls-world.ts';

const SECRET = 'the-secret-of-a-provider';

/** All that is stored, as text. */
const everything = systemSql<{ text: string }>(
  'test_everything',
  `select concat((select string_agg(s::text, ' ') from call_sources s),
     (select string_agg(k::text, ' ') from idempotency_keys k), (select string_agg(o::text, ' ') from outbox o),
     (select string_agg(m::text, ' ') from call_messages m)) as text`,
);

let calls: CallsWorld;
beforeAll(async () => {
  calls = await startCalls({ workers: [] });
});
afterAll(() => calls.stop());

/** The service as it is deployed, telling all that it ever tells. */
async function startProcess() {
  const [port, internalPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ['services/calls/src/main.ts'], {
    env: {
      ...calls.environment(),
      LOG_LEVEL: 'trace',
      SHUTDOWN_TIMEOUT_MS: '120000',
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      PATH: process.env.PATH,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  await eventually(() => expect(output).toContain('"msg":"started"'));
  return { child, url: `http://127.0.0.1:${port}`, output: () => output };
}

it('neither tables nor answers nor log lines reveal a secret or an ingest address', async () => {
  const tenant = calls.newTenant();
  const sources = `/internal/tenants/${tenant}/call-sources`;
  const body = { provider: 'vapi', name: 'Vapi', secret: SECRET };
  const { data } = (await calls.admin('POST', sources, body, { 'idempotency-key': 'sealed' })).body;
  expect(data.secret).toBe(SECRET);

  const running = await startProcess();
  const { pathname } = new URL(data.ingest_url);
  const send = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' };
    const answer = await request(running.url + pathname, { method: 'POST', headers, body: 'no JSON' });
    return [answer.statusCode, await answer.body.text()] as const;
  };
  const answers = [await send(SECRET), await send(`${SECRET}x`)];
  expect(answers.map(([status]) => status)).toEqual([202, 401]);
  await calls.settled(tenant);
  // Not before all that it has written is read.
  const exited = once(running.child, 'close');
  running.child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);

  const { text } = await calls.database.system.one(everything);
  expect(text).toContain(`${sources},sealed`);
  const shown = await Promise.all([calls.admin('GET', sources), calls.admin('GET', `${sources}/${data.id}`)]);
  const records = JSON.stringify(shown.map((answer) => answer.body));
  for (const shown of [text, records, running.output(), ...answers.map(([, answer]) => answer)])
    expect(shown).not.toContain(SECRET);
  expect(running.output()).toContain('"status":401');
  expect(running.output()).not.toContain(pathname.slice(-40));
});
