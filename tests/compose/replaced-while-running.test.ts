import { setInterval } from 'node:timers/promises';
import { createBusiness } from '../e2e/support/business.ts';
import { runCommand } from '../e2e/support/command.ts';
import { openTarget } from '../e2e/support/target.ts';
import { documentedUnder } from '../support/documented-commands.ts';
import { attempts, docker, runInService } from './containers.ts';

/** Below what the tenant's plan allows in a minute. */
const REQUEST_EVERY_MS = 200;

async function follow(commands: string): Promise<void> {
  const { code, stderr } = await runCommand(['sh', '-euc', commands]);
  if (code !== 0) throw new Error(`${commands} ended with ${code}: ${stderr}`);
}

const passwordsOf = async (service: string) =>
  JSON.parse(
    (await docker('compose', 'exec', '-T', service, 'cat', `/keys/${service}/engines.json`)).stdout,
  ) as {
    postgres: string;
    redis: string;
    kafka: string;
  };

/** Of gateways: one that is lost comes back under another id. */
async function redisConnections(): Promise<string[]> {
  const list = 'REDISCLI_AUTH=$(cat /keys/redis/administrator) redis-cli --user admin CLIENT LIST';
  const { stdout } = await docker('compose', 'exec', '-T', 'redis', 'sh', '-c', list);
  return [...stdout.matchAll(/^id=(\d+) .* name=gateway-/gm)].map(([, id = '']) => id);
}

/** The statuses of requests through the gateway while these commands run. */
async function statusesDuring(commands: string): Promise<Set<number>> {
  const { api } = await createBusiness(await openTarget(), 'Replaced');
  const statuses = new Set<number>();
  const replacing = new AbortController();
  const requests = async () => {
    for await (const { aborted } of setInterval(REQUEST_EVERY_MS, replacing.signal)) {
      if (aborted) return;
      statuses.add((await api('GET', '/services')).status);
    }
  };
  const replaced = follow(commands).finally(() => replacing.abort());
  try {
    await requests();
  } finally {
    await replaced;
  }
  return statuses;
}

it('the key of an issuer is replaced while requests are answered', async () => {
  const keyOfGateway = async () => {
    const { stdout } = await docker('compose', 'exec', '-T', 'crm', 'cat', '/keys/public/public.json');
    return (JSON.parse(stdout) as { gateway: { x?: string } }).gateway.x;
  };
  const before = await keyOfGateway();
  const commands = documentedUnder('docs/operations.md', 'Replacing an identity key');
  expect([...(await statusesDuring(commands))]).toEqual([200]);
  const after = await keyOfGateway();
  expect(after).toEqual(expect.any(String));
  expect(after).not.toBe(before);
});

it('passwords of a service are replaced while requests are answered', async () => {
  const before = await passwordsOf('gateway');
  const connections = await redisConnections();
  const commands = documentedUnder('docs/operations.md', 'A service’s passwords');
  expect([...(await statusesDuring(commands))]).toEqual([200]);
  expect(await redisConnections()).toEqual(connections);
  const after = await passwordsOf('gateway');
  expect(after.postgres).not.toBe(before.postgres);
  expect(after).not.toHaveProperty('previous');
  const user = 'frontdesk_gateway';
  const old = { user, database: user, password: before.postgres };
  expect(await runInService('gateway', attempts.postgres(old))).toMatch(/password authentication failed/);
  const oldOfRedis = { username: 'gateway', password: before.redis };
  expect(await runInService('gateway', attempts.redis(oldOfRedis, ['PING']))).toMatch(/^WRONGPASS/);
  expect(await runInService('gateway', attempts.redis({ username: 'gateway' }, ['PING']))).toBe('"PONG"');
  const write = { write: 'tenants' };
  const oldOfKafka = { username: 'gateway', password: before.kafka };
  expect(await runInService('gateway', attempts.kafka(oldOfKafka, write))).toMatch(/invalid credentials/);
  expect(await runInService('gateway', attempts.kafka({ username: 'gateway' }, write))).toBe('done');
});

it("the administrators' passwords are replaced too", async () => {
  const read = async () =>
    (await docker('compose', 'exec', '-T', 'postgres', 'cat', '/keys/postgres/administrator')).stdout;
  const before = await read();
  await follow(documentedUnder('docs/operations.md', 'The administrators’ passwords'));
  const after = await read();
  expect(after).not.toBe(before);
  for (const [password, answer] of [
    [before, /password authentication failed/],
    [after, /^1$/m],
  ] as const) {
    const psql = `PGPASSWORD=${password} psql -h postgres -U postgres -Atc 'select 1' 2>&1; true`;
    expect((await docker('compose', 'exec', '-T', 'postgres', 'sh', '-c', psql)).stdout).toMatch(answer);
  }
});
