import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureIdentityKeys, keyFilesIn } from '../../scripts/start/keys/identity-keys.ts';
import { eventually, startReceiver } from '../support/index.ts';
import { createBusiness, createCustomer } from './support/business.ts';
import { type LocalSystem, startLocalSystem } from './support/local-system.ts';
import { localOperator, type Operator } from './support/operator.ts';
import { targetOf } from './support/target.ts';

interface Status {
  needs_you: boolean;
  processes: { service: string; state: string; missing: string[]; version: string | null }[];
  engines: { engine: string; is_reached: boolean; version: string | null; detail: string }[];
  backlogs: { service: string; what: string; waiting: number; needs_you: boolean }[];
  failing_endpoints: { total: number; shown: { tenant_id: number; id: number; state: string }[] };
}

const SERVICES = ['gateway', 'scheduling', 'crm', 'calls', 'webhooks', 'settings-ui'];

describe('npm run -s admin -- status', () => {
  let system: LocalSystem;
  let operator: Operator;

  beforeAll(async () => {
    system = await startLocalSystem();
    operator = localOperator(system);
  });
  afterAll(() => system?.stop());

  /** Whatever its exit code. */
  const status = async () => JSON.parse((await operator.run(['status', '--json'])).stdout) as Status;
  const processOf = ({ processes }: Status, name: string) =>
    processes.find(({ service }) => service === name);

  it('0: every process and engine, with versions, and each backlog', async () => {
    await eventually(async () => {
      expect((await operator.run(['status'])).code).toBe(0);
      const { needs_you, processes, engines, backlogs } = await status();
      expect(needs_you).toBe(false);
      expect(processes.map(({ service }) => service)).toEqual(SERVICES);
      for (const { state, version } of processes) {
        expect(state).toBe('ready');
        expect(version).toMatch(/^\d+\.\d+\.\d+/);
      }
      expect(engines).toEqual([
        {
          engine: 'postgres',
          is_reached: true,
          version: expect.stringMatching(/^\d/),
          detail: expect.stringMatching(/^\d+ of 200 connections$/),
        },
        { engine: 'redis', is_reached: true, version: expect.stringMatching(/^\d/), detail: null },
        { engine: 'kafka', is_reached: true, version: null, detail: '1 broker' },
      ]);
      expect(backlogs).toContainEqual({
        service: 'webhooks',
        what: 'dead letters',
        unit: 'messages',
        waiting: 0,
        needs_you: false,
      });
    });
  });

  it('names an endpoint that fails, of whichever tenant, and needs nobody for it', async () => {
    const target = targetOf(system);
    const receiver = await startReceiver();
    receiver.respondWith(() => ({ status: 500 }));
    try {
      const { tenant, api } = await createBusiness(target, 'Salon Silence');
      const words = `webhook create --tenant ${tenant.id} --url ${receiver.url} --events customer.created`;
      const endpoint = await operator.json<{ id: number }>(words.split(' '));
      await createCustomer(api, 'Mia Wong', '+49 30 901820');

      await eventually(async () => {
        const { failing_endpoints } = await status();
        expect(failing_endpoints.shown).toContainEqual(
          expect.objectContaining({ tenant_id: tenant.id, id: endpoint.id, state: 'failing' }),
        );
        const { code, stdout } = await operator.run(['status']);
        expect(stdout).toContain('1 failing endpoint\n');
        expect(code).toBe(0);
      });
    } finally {
      await receiver.close();
    }
  });

  it('3: a process that answers nothing is away, and the rest is shown', async () => {
    const crm = system.services.find(({ name }) => name === 'crm');
    expect(crm?.kill('SIGSTOP')).toBe(true);
    try {
      await eventually(async () => {
        const { code, stdout } = await operator.run(['status']);
        expect(code).toBe(3);
        expect(stdout).toMatch(/^! +crm +\S+ +away/m);
        expect(stdout).toMatch(/^ +scheduling +\S+ +ready/m);
      });
    } finally {
      crm?.kill('SIGCONT');
    }
    await eventually(async () => expect(processOf(await status(), 'crm')?.state).toBe('ready'));
  });

  it('3: the key of another system is refused, and the screen says so', async () => {
    const keysDirectory = await mkdtemp(join(tmpdir(), 'other-keys-'));
    await ensureIdentityKeys(keyFilesIn(keysDirectory));
    try {
      await eventually(async () => {
        const { code, stdout } = await localOperator({ ...system, keysDirectory }).run(['status']);
        expect(code).toBe(3);
        expect(stdout).toMatch(/^! gateway at \S+ refuses the operator's key/m);
        expect(stdout).toMatch(/^ +scheduling +\S+ +ready/m);
      });
    } finally {
      await rm(keysDirectory, { recursive: true });
    }
  });

  it('3: a system that is not there', async () => {
    const nowhere = localOperator({ portBase: 1_024, keysDirectory: system.keysDirectory });

    const { code, stdout } = await nowhere.run(['status']);

    expect(code).toBe(3);
    expect(stdout.match(/ away /g)?.length).toBe(SERVICES.length);
  });
});
