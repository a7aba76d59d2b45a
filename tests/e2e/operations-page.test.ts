import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { WATCHED } from '../../scripts/admin/status/backlogs.ts';
import { administratorPassword } from '../../scripts/start/engines/engine-passwords.ts';
import { keyFilesIn } from '../../scripts/start/keys/identity-keys.ts';
import { systemPorts } from '../../scripts/start/processes/ports.ts';
import { ALERTS } from '../observability/support/alerts.ts';
import { terminalPath } from '../support/bare-path.ts';
import {
  documentedBlocks,
  listedCommands,
  namedInline,
  PAGES,
  withExamples,
} from '../support/documented-commands.ts';
import { eventually, sharedSystem, startReceiver } from '../support/index.ts';
import { createBusiness, createCustomer } from './support/business.ts';
import { runCommand } from './support/command.ts';
import { ADMIN } from './support/operator.ts';
import { targetOf } from './support/target.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SECRET = '5f2c0000000000000000000000000000';

/** Commands that run nowhere as they stand, and what runs instead. Those of containers run in tests/compose. */
const NOT_RUN_AS_THEY_STAND: Readonly<Record<string, string>> = {
  'npm start': 'tests/e2e/start.test.ts runs the script that npm start runs, with a directory of its own',
  'npm run -s admin -- holds off':
    'other tests hold times in the same system meanwhile; tests/integration/admin/holds.test.ts runs it',
  'kafka-configs.sh --bootstrap-server $BROKER --command-config admin.properties --alter --entity-type users --entity-name crm --add-config-file crm.properties':
    'there is no Kafka of their own; the job kafka-users gives its users by the same tool and options',
};
/** Sentences name these for what follows them or has others' arguments, or for what removes all data. */
const NO_WHOLE_COMMANDS = ['npm start -- --reset', 'node services/<name>/src/main.ts'];
const PROGRAMS = ['npm', 'npx', 'node', 'docker', 'psql', 'redis-cli', 'curl', 'sh', 'bash'];

/** What package.json has npm run, without npm's own time for each of them. */
const NPM = `
npm() {
  script=$3; shift 4
  case $script in
    admin) "$NODE" "$ROOT/scripts/admin/main.ts" "$@" ;;
    calls:replay) "$NODE" "$ROOT/scripts/calls-replay.ts" "$@" ;;
    *) echo "There is no npm run $script here." >&2; return 1 ;;
  esac
}
`;

const blocksForHere = (page: (typeof PAGES)[number]) =>
  documentedBlocks(page)
    .filter(({ isOfCompose }) => !isOfCompose)
    .flatMap(({ commands }) => commands.split('\n'))
    .filter((line) => !(line in NOT_RUN_AS_THEY_STAND));

/** What the operator's command line has, or one noun of it. */
async function commandsOf(...words: string[]): Promise<string[]> {
  const { stdout } = await runCommand([...ADMIN, ...words, '--help']);
  return [...stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
}

describe('the pages for operators', () => {
  it('have no command that no test runs, in sentences and tables either', async () => {
    const lines = PAGES.flatMap(documentedBlocks).flatMap(({ commands }) => commands.split('\n'));
    expect(lines).toEqual(expect.arrayContaining(Object.keys(NOT_RUN_AS_THEY_STAND)));
    const nouns = await commandsOf();
    expect(nouns).toContain('webhook');
    const named = PAGES.flatMap(namedInline);
    expect(named).toEqual(expect.arrayContaining(NO_WHOLE_COMMANDS));
    const isCommand = (name: string) => {
      const [first = ''] = name.split(' ');
      return PROGRAMS.includes(first) || nouns.includes(first) || first.endsWith('.sh');
    };
    const isRun = (name: string) => {
      const words = name.split(' ').filter((word) => word !== '…');
      return lines.some((line) => isSubsequence(words, line.split(' ')));
    };
    const unknown = named.filter(
      (name) => isCommand(name) && !NO_WHOLE_COMMANDS.includes(name) && !isRun(name),
    );
    expect(unknown).toEqual([]);
  });

  it('list no command of the operator that does not exist', async () => {
    const lists = PAGES.flatMap(listedCommands);
    expect(lists.map(({ noun }) => noun)).toEqual([
      'tenant',
      'key',
      'webhook',
      'user',
      'mail',
      'holds',
      'call-source',
    ]);
    for (const { noun, verbs } of lists)
      expect(await commandsOf(noun)).toEqual(expect.arrayContaining(verbs));
  });

  it('name every alert and every backlog of status once, with what to do about it', async () => {
    const [, table = ''] =
      /^## What you see\n([\s\S]*?)^## /m.exec(await readFile(join(ROOT, PAGES[0]), 'utf8')) ?? [];
    const names = [...ALERTS.map(({ alert }) => alert), ...WATCHED.map(({ what }) => what)];
    const counts = names.map((name) => [name, table.split(`\`${name}\``).length - 1]);
    expect(counts).toEqual(names.map((name) => [name, 1]));
  });

  it('have commands that do what they say, from top to bottom, on a running system', async () => {
    const system = await sharedSystem();
    const target = targetOf(system);
    const receiver = await startReceiver();
    const engine = {
      host: '127.0.0.1',
      port: systemPorts(system.portBase).postgres,
      user: 'postgres',
      password: await administratorPassword('postgres', keyFilesIn(system.keysDirectory)),
    };
    const crm = new Client({ ...engine, database: 'frontdesk_crm' });
    const settings = new Client({ ...engine, database: 'frontdesk_settings_ui' });
    const directory = await mkdtemp(join(tmpdir(), 'operations-'));
    try {
      await crm.connect();
      await settings.connect();
      const { tenant, api } = await createBusiness(target, 'Salon Operations');
      const forTenant = ['--tenant', String(tenant.id)];
      const endpoint = await target.operator.json<{ id: number }>([
        ...['webhook', 'create', ...forTenant, '--url', receiver.url, '--events', 'customer.created'],
      ]);
      const source = await target.operator.json<{ id: number; ingest_url: string }>(
        [
          ...['call-source', 'create', ...forTenant, '--provider', 'twilio', '--name', 'Line'],
          ...['--secret-file', '-'],
        ],
        SECRET,
      );
      await createCustomer(api, 'Ada Lovelace', '+49 30 901820');
      const leaked = await target.operator.json<{ id: number; key: string }>([
        ...['key', 'create', ...forTenant, '--name', 'leaked'],
      ]);
      const stuck = await makeStuck(crm, tenant.id);
      const email = await queueEmail(settings, tenant.id);

      const run = async (page: (typeof PAGES)[number], examples: Record<string, string>) => {
        const commands = `${blocksForHere(page).join('\n')}\n`;
        const script = withExamples(commands, { ...examples, '--tenant 4': `--tenant ${tenant.id}` })
          // Other tests of this run make faults in the same system.
          .replace(/^(.* admin -- status.*)$/gm, '$1 || test $? = 3');
        const { code, stderr } = await runCommand([join(terminalPath(), 'sh'), '-eux', '-c', NPM + script], {
          env: {
            PATH: terminalPath(),
            NODE: process.execPath,
            ROOT,
            PORT_BASE: String(system.portBase),
            OPERATOR_KEY_FILE: join(system.keysDirectory, 'operator.json'),
          },
          cwd: directory,
        });
        expect([page, code, code === 0 ? '' : stderr]).toEqual([page, 0, '']);
      };
      const ofTenant = { 'owner@example.com': `owner-${tenant.id}@example.com` };
      await run('docs/operations.md', {
        ...ofTenant,
        'npm run -s admin -- key leaked -': `printf '%s\\n' ${leaked.key} | npm run -s admin -- key leaked -`,
        'change 9': `change ${leaked.id}`,
        'roll 9': `roll ${leaked.id}`,
        'release 4': `release ${tenant.id}`,
        'mail show 12': `mail show ${email}`,
        'parked-12': stuck.parked,
        'letter-7': stuck.letter,
        'webhook show 17': `webhook show ${endpoint.id}`,
        '--endpoint 17': `--endpoint ${endpoint.id}`,
        'test 17': `test ${endpoint.id}`,
        'replay 17': `replay ${endpoint.id}`,
        'rotate-secret 17': `rotate-secret ${endpoint.id}`,
        '--source 3': `--source ${source.id}`,
        'rotate 3': `rotate ${source.id}`,
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
      await settings.end();
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

/** A notice about access, as settings-ui queues it. */
async function queueEmail(settings: Client, tenantId: number): Promise<number> {
  const { rows } = await settings.query(
    `insert into emails (tenant_id, kind, recipient, details)
     values ($1, 'new_key', 'owner@example.com', '[{"name": "website", "by": "Operator", "at": "2026-01-31T09:00:00Z"}]')
     returning id`,
    [tenantId],
  );
  return rows[0].id;
}

/** Whether all words come in the line, in their order, with others between them or not. */
function isSubsequence(words: readonly string[], line: readonly string[]): boolean {
  const [first, ...rest] = words;
  if (first === undefined) return true;
  const at = line.indexOf(first);
  return at >= 0 && isSubsequence(rest, line.slice(at + 1));
}
