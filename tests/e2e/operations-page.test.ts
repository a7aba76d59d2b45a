import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { administratorPassword } from '../../scripts/start/engine-passwords.ts';
import { keyFilesIn } from '../../scripts/start/identity-keys.ts';
import { systemPorts } from '../../scripts/start/ports.ts';
import { documentedBlocks, namedInline, PAGES, withExamples } from '../support/documented-commands.ts';
import { eventually, sharedSystem, startReceiver } from '../support/index.ts';
import { createBusiness, createCustomer } from './support/business.ts';
import { runCommand } from './support/command.ts';
import { targetOf } from './support/target.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SECRET = '5f2c0000000000000000000000000000';

/** Headings whose commands run nowhere as they stand, and what runs instead. Those of containers run in tests/compose. */
const NOT_RUN_AS_THEY_STAND: Readonly<Record<string, string>> = {
  'On this machine':
    'tests/e2e/start.test.ts runs the script that npm start runs, with a directory of its own',
  'A Kafka of your own': 'there is none; the job kafka-users gives its users by the same tool and options',
};
/** Sentences name these for commands that follow or have others' arguments, or for what removes all data. */
const NO_WHOLE_COMMANDS = [
  ...['npm run -s admin --', 'docker compose run --rm -T admin', 'npm start -- --reset'],
  'npm run -s calls:replay -- twilio/completed <ingest url> --secret …',
];

/** What package.json has npm run, without npm's own time for each of them. */
const NPM = `
npm() {
  local script=$3; shift 4
  case $script in
    admin) "$NODE" "$ROOT/scripts/admin/main.ts" "$@" ;;
    calls:replay) "$NODE" "$ROOT/scripts/calls-replay.ts" "$@" ;;
    *) echo "There is no npm run $script here." >&2; return 1 ;;
  esac
}
`;

const blocksForHere = async (page: (typeof PAGES)[number]) =>
  (await documentedBlocks(page)).filter(
    ({ heading, isOfCompose }) => !isOfCompose && !(heading in NOT_RUN_AS_THEY_STAND),
  );

describe('the pages for operators', () => {
  it('have no command that no test runs, in sentences and tables either', async () => {
    const blocks = (await Promise.all(PAGES.map(documentedBlocks))).flat();
    const headings = blocks.map(({ heading }) => heading);
    expect(headings).toEqual(expect.arrayContaining(Object.keys(NOT_RUN_AS_THEY_STAND)));
    const lines = blocks.flatMap(({ commands }) => commands.split('\n'));
    const named = (await Promise.all(PAGES.map(namedInline))).flat();
    const commands = named.filter((name) => /^(npm (run|start)|docker compose) /.test(name));
    const unknown = commands.filter(
      (command) => !NO_WHOLE_COMMANDS.includes(command) && !lines.some((line) => line.startsWith(command)),
    );
    expect(unknown).toEqual([]);
  });

  it('name every alert with what to do about it', async () => {
    const [, table = ''] =
      /^## What you see\n([\s\S]*?)^## /m.exec(await readFile(join(ROOT, PAGES[0]), 'utf8')) ?? [];
    const rules = globSync(join(ROOT, 'deploy/prometheus/alerts/*.yml'));
    const texts = await Promise.all(rules.map((file) => readFile(file, 'utf8')));
    const alerts = texts.flatMap((text) => [...text.matchAll(/- alert: (\w+)/g)].map(([, name]) => name));
    expect(alerts.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  });

  it('have commands that do what they say, from top to bottom, on a running system', async () => {
    const system = await sharedSystem();
    const target = targetOf(system);
    const receiver = await startReceiver();
    const crm = new Client({
      host: '127.0.0.1',
      port: systemPorts(system.portBase).postgres,
      user: 'postgres',
      password: await administratorPassword('postgres', keyFilesIn(system.keysDirectory)),
      database: 'frontdesk_crm',
    });
    const directory = await mkdtemp(join(tmpdir(), 'operations-'));
    try {
      await crm.connect();
      const { tenant, api } = await createBusiness(target, 'Salon Operations');
      const forTenant = ['--tenant', String(tenant.id)];
      const endpoint = await target.operator.json<{ id: number }>([
        ...['webhook', 'create', ...forTenant, '--url', receiver.url, '--events', 'customer.created'],
      ]);
      const source = await target.operator.json<{ id: number; ingest_url: string }>([
        ...[
          'call-source',
          'create',
          ...forTenant,
          '--provider',
          'twilio',
          '--name',
          'Line',
          '--secret',
          SECRET,
        ],
      ]);
      await createCustomer(api, 'Ada Lovelace', '+49 30 901820');
      const stuck = await makeStuck(crm, tenant.id);

      const run = async (page: (typeof PAGES)[number], examples: Record<string, string>) => {
        const commands = (await blocksForHere(page)).map((block) => block.commands).join('');
        const script = withExamples(commands, { ...examples, '--tenant 4': `--tenant ${tenant.id}` })
          // Other tests of this run make faults in the same system.
          .replace(/^(.* admin -- status.*)$/gm, '$1 || test $? = 3');
        const { code, stderr } = await runCommand(['bash', '-euxo', 'pipefail', '-c', NPM + script], {
          env: {
            ...{ PATH: process.env.PATH, NODE: process.execPath, ROOT },
            ...{
              PORT_BASE: String(system.portBase),
              OPERATOR_KEY_FILE: join(system.keysDirectory, 'operator.json'),
            },
          },
          cwd: directory,
        });
        expect([page, code, code === 0 ? '' : stderr]).toEqual([page, 0, '']);
      };
      const ofTenant = { 'owner@example.com': `owner-${tenant.id}@example.com` };
      await run('docs/operations.md', {
        ...ofTenant,
        ...{ 'parked-12': stuck.parked, 'letter-7': stuck.letter },
        ...{ 'webhook show 17': `webhook show ${endpoint.id}`, '--endpoint 17': `--endpoint ${endpoint.id}` },
        ...{ 'test 17': `test ${endpoint.id}`, 'replay 17': `replay ${endpoint.id}` },
        ...{ 'rotate-secret 17': `rotate-secret ${endpoint.id}` },
        ...{ '--source 3': `--source ${source.id}`, 'rotate 3': `rotate ${source.id}` },
        'http://127.0.0.1:4000/ingest/calls/token': source.ingest_url,
      });
      await target.operator.json(['tenant', 'set-plan', ...forTenant, '--plan', 'pro']);
      await run('docs/configuration.md', {
        ...ofTenant,
        'usage 4': `usage ${tenant.id}`,
        'set-quota 4': `set-quota ${tenant.id}`,
      });

      const left = await crm.query('select from dead_letters where tenant_id = $1', [tenant.id]);
      expect(left.rowCount).toBe(0);
      await eventually(async () => {
        const { rows } = await crm.query(
          'select published_at is not null as is_published from outbox where tenant_id = $1',
          [tenant.id],
        );
        expect(rows).toEqual([{ is_published: true }]);
      });
      await eventually(() =>
        expect(receiver.requests.map(({ rawBody }) => rawBody).join()).toContain('endpoint.test'),
      );
    } finally {
      await crm.end();
      await receiver.close();
      await rm(directory, { recursive: true });
    }
  });
});

/** The event of a customer as if Kafka had refused it, and a message that crm can't read. */
async function makeStuck(crm: Client, tenantId: number): Promise<{ parked: string; letter: string }> {
  const parked = await crm.query(
    `update outbox set published_at = null, parked_at = now(), parked_reason = 'too large' where tenant_id = $1 returning id`,
    [tenantId],
  );
  const letter = await crm.query(
    `insert into dead_letters (tenant_id, consumer, topic, "partition", "offset", sent_at, value, reason)
     values ($1, 'crm.appointments', 'appointments', 0, $1, now(), 'nothing', 'no event') returning id`,
    [tenantId],
  );
  return { parked: `parked-${parked.rows[0].id}`, letter: `letter-${letter.rows[0].id}` };
}
