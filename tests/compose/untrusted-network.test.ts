import { attempts, compose, docker, runInNetwork, runInService } from './containers.ts';

const SERVICES = ['gateway', 'scheduling', 'crm', 'calls', 'webhooks', 'settings-ui'];
const ENGINES = ['postgres', 'redis', 'kafka'];

describe('a container without credentials', () => {
  it.each(ENGINES)("finds no %s in the services' network", async (engine) => {
    const lookup = `import { lookup } from 'node:dns/promises';
      console.log(await lookup('${engine}').then(({ address }) => address, ({ code }) => code));`;
    expect(await runInNetwork('services', lookup)).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
    expect(await runInNetwork('engines', lookup)).toMatch(/^[\d.]+$/);
  });

  it('reads and writes nothing of PostgreSQL, not with the passwords of earlier releases either', async () => {
    const ofRole = { user: 'frontdesk_gateway', database: 'frontdesk_gateway' };
    const ofSuperuser = { user: 'postgres', database: 'postgres' };
    for (const settings of [
      ...[ofRole, ofSuperuser],
      { ...ofRole, password: 'gateway' },
      { ...ofSuperuser, password: 'postgres' },
    ])
      expect(await runInNetwork('engines', attempts.postgres(settings))).toMatch(
        /password authentication failed|password must be a string/,
      );
  });

  it('reads and writes nothing of Redis', async () => {
    for (const command of [
      ['KEYS', '*'],
      ['SET', 'settings:session:forged', '{}'],
      ['CONFIG', 'GET', '*'],
      ['INFO'],
    ])
      expect(await runInNetwork('engines', attempts.redis({}, command))).toMatch(/^NOAUTH/);
  });

  it('reads and writes nothing of Kafka', async () => {
    for (const work of [{ write: 'appointments' }, { group: 'webhooks' }]) {
      expect(await runInNetwork('engines', attempts.kafka({}, work))).not.toBe('done');
      for (const username of ['admin', 'scheduling'])
        expect(await runInNetwork('engines', attempts.kafka({ username, password: 'kafka' }, work))).toMatch(
          /invalid credentials/,
        );
    }
    const others = `import { connect } from 'node:net';
      for (const port of [9093, 9094])
        console.log(await new Promise((resolve) => {
          const socket = connect(port, 'kafka', () => socket.destroy() && resolve('open'));
          socket.on('error', ({ code }) => resolve(code));
        }));`;
    expect(await runInNetwork('engines', others)).toBe('ECONNREFUSED\nECONNREFUSED');
  });
});

describe("a service's own credentials", () => {
  it("open its own database, and neither another service's nor the server's", async () => {
    const user = 'frontdesk_gateway';
    const own = attempts.postgres({ user, database: user });
    expect(await runInService('gateway', own)).toBe('[{"answer":1}]');
    for (const database of ['frontdesk_crm', 'frontdesk_settings_ui', 'postgres', 'template1'])
      expect(await runInService('gateway', attempts.postgres({ user, database }))).toMatch(
        /permission denied for database/,
      );
    const roles = attempts.postgres({ user, database: user }, 'select rolpassword from pg_authid');
    expect(await runInService('gateway', roles)).toMatch(/permission denied for table pg_authid/);
    const asAnother = attempts.postgres({ user: 'frontdesk_crm', database: 'frontdesk_crm' });
    expect(await runInService('gateway', asAnother)).toMatch(/password authentication failed/);
  });

  it("reach its own keys of Redis, and not another service's", async () => {
    const ask = (service: string, command: string[]) =>
      runInService(service, attempts.redis({ username: service }, command));
    expect(await ask('settings-ui', ['GET', 'settings:session:none'])).toBe('null');
    for (const command of [
      ['MGET', 'settings:session:none'],
      ['PUBLISH', 'settings', 'x'],
      ['KEYS', '*'],
    ])
      expect(await ask('gateway', command)).toMatch(/^NOPERM/);
    for (const command of [
      ['GET', 'requests:{tenant-1}:1'],
      ['SET', 'rate:{tenant:1}:minute:1', '0'],
    ])
      expect(await ask('settings-ui', command)).toMatch(/^NOPERM/);
  });

  it("write its own topics of Kafka and join its own groups, and not another service's", async () => {
    const ask = (username: string, work: { write: string } | { group: string }) =>
      runInService('scheduling', attempts.kafka({ username }, work));
    expect(await ask('scheduling', { write: 'appointments' })).toBe('done');
    expect(await ask('scheduling', { group: 'scheduling.tenants' })).toBe('done');
    expect(await ask('scheduling', { write: 'tenants' })).toMatch(/not authorized/i);
    expect(await ask('scheduling', { group: 'crm.tenants' })).toMatch(/group coordinator/);
    expect(await ask('crm', { write: 'customers' })).toMatch(/invalid credentials/);
  });
});

describe('a container', () => {
  it.each([...SERVICES, 'postgres', 'redis'])(
    '%s writes nothing beside its data, and has no privileges',
    async (container) => {
      const script = 'touch /usr/x 2>&1; cat /proc/1/status; true';
      const printed = await compose('exec', '-T', container, 'sh', '-c', script);
      expect(printed).toMatch(/Read-only file system/);
      expect(printed).toMatch(/^CapEff:\s+0+$/m);
      expect(printed).toMatch(/^CapBnd:\s+0+$/m);
      expect(printed).toMatch(/^NoNewPrivs:\s+1$/m);
    },
  );

  it.each(['scheduling', 'crm', 'calls', 'postgres', 'redis'])('%s has no way out', async (container) => {
    const id = (await compose('ps', '-q', container)).trim();
    const networks = await inspected(['inspect', '--format', '{{json .NetworkSettings.Networks}}', id]);
    expect(Object.keys(networks)).not.toHaveLength(0);
    for (const network of Object.keys(networks))
      expect(await inspected(['network', 'inspect', '--format', '{{.Internal}}', network])).toBe(true);
  });
});

const inspected = async (words: string[]) => JSON.parse((await docker(...words)).stdout);
