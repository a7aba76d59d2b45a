import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureIdentityKeys, keyFilesIn } from '../../scripts/start/keys/identity-keys.ts';
import { takeInstanceLock } from '../../scripts/start/processes/instance-lock.ts';
import { eventually } from '../support/index.ts';
import { freePortBase } from './support/local-system.ts';
import { ADMIN, localOperator, type Operator, operatorBy } from './support/operator.ts';

/** Of the packages the image of the tools lacks this one. */
const WITHOUT_LOCAL_STACK = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === '@frontdesk/local-stack') throw new Error('There is no local stack.');
      return next(specifier, context);
    },
  });`;

describe("the operator's command line, without a system to talk to", () => {
  let directory: string;
  let operator: Operator;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'frontdesk-cli-'));
    await ensureIdentityKeys(keyFilesIn(directory));
    operator = localOperator({ portBase: await freePortBase(), keysDirectory: directory });
  });

  afterAll(() => rm(directory, { recursive: true, force: true }));

  it.each([
    ['no such noun', 'salon list', "unknown command 'salon'"],
    ['no such verb', 'tenant destroy', "unknown command 'destroy'"],
    ['no such option', 'tenant list --colour', "unknown option '--colour'"],
    ['a missing option', 'key create --tenant 1', "'--name <name>' not specified"],
    ['a plan that is none', 'tenant set-plan --tenant 1 --plan gold', 'starter, pro, enterprise'],
    ['a quota that is none', 'tenant set-quota 1 horses 5', 'call_sources, api_keys'],
    ['a quota of nothing', 'tenant set-quota 1 staff many', 'whole number, or default'],
    ['an id that is none', 'key revoke seven --tenant 1', 'positive whole number'],
    ['a provider that is none', 'call-source create --tenant 1 --name A --provider acme', 'generic, vapi'],
    ['settings that are none', 'call-source update 1 --tenant 1 --settings x', 'must be a JSON object'],
    ['a password in the arguments', 'user create --tenant 1 --email a@b.c --password x', '--password-file'],
    ['the same of a password that is set', 'user set-password --tenant 1 --email a@b.c --password=x', 'FILE'],
    ['no password', 'user create --tenant 1 --email a@b.c', '--password-file FILE, where - reads standard'],
    ['an empty password', 'user create --tenant 1 --email a@b.c --password-file -', 'holds no password'],
    [
      'a password of nowhere',
      'user create --tenant 1 --email a@b.c --password-file /no/file',
      "can't be read",
    ],
    ['a secret in the arguments', 'call-source rotate 1 --tenant 1 --secret x', '--secret-file FILE'],
    ['a file that is not there', 'business import /no/such/file --tenant 1', "can't be read"],
    ['an export of nobody', 'business export business.yaml', "'--tenant <id>' not specified"],
  ])('%s: one clear line on stderr, exit code 2', async (_case, words, text) => {
    const { code, stdout, stderr } = await operator.run(words.split(' '));

    expect(stderr).toContain(text);
    expect(stderr.trim().split('\n').length).toBe(1);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it.each([
    ['neither JSON nor YAML', 'a: [1', 'neither JSON nor YAML'],
    ['no object', '- 1', 'holds no business'],
  ])('a business file that is %s: one clear line, exit code 2', async (_case, content, text) => {
    const file = join(directory, 'business.yaml');
    await writeFile(file, content);

    const { code, stderr } = await operator.run(['business', 'import', file, '--tenant', '1']);

    expect(stderr).toContain(text);
    expect(stderr.trim().split('\n').length).toBe(1);
    expect(code).toBe(2);
  });

  it('keys of a business file that are no fields are named, one line each, before anything is asked', async () => {
    const content = 'houres: {}\nstaff: [{ name: Ada, services: [], time_of: [] }]';
    const { code, stdout, stderr } = await operator.run(
      ['business', 'import', '-', '--tenant', '1'],
      content,
    );

    expect(stderr.split('\n').slice(0, 2)).toEqual([
      'warning: houres is no field of a business and is ignored.',
      'warning: staff.0.time_of is no field of a business and is ignored.',
    ]);
    expect(stderr).toContain("error: scheduling can't be reached");
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  it('a system that is away: one clear line naming the service and its address, exit code 1', async () => {
    const { code, stdout, stderr } = await operator.run(['tenant', 'list', '--json']);

    expect(stderr).toMatch(
      /^error: gateway can't be reached or can't answer at http:\/\/127\.0\.0\.1:\d+.*\n$/,
    );
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  it('goes to the system that runs in its directory, and says so where none does', async () => {
    const env = { PATH: process.env.PATH, SYSTEM_DIRECTORY: directory };
    const keys = { OPERATOR_KEY_FILE: keyFilesIn(directory).privateKey('operator') };
    const stderrOf = async (more: NodeJS.ProcessEnv = {}) => {
      const { code, stderr } = await operatorBy(ADMIN, { ...env, ...keys, ...more }).run(['tenant', 'list']);
      expect(code).toBe(1);
      return stderr;
    };
    const none =
      /^error: No system runs in .*\. Start it \(npm start\), or set SYSTEM_DIRECTORY, PORT_BASE or GATEWAY_INTERNAL_URL to reach another one\.\n$/;
    expect(await stderrOf()).toMatch(none);

    const base = await freePortBase();
    const lock = await takeInstanceLock(directory, base);
    expect(await stderrOf()).toContain(`can't be reached or can't answer at http://127.0.0.1:${base + 1}`);
    const given = await freePortBase();
    expect(await stderrOf({ PORT_BASE: String(given) })).toContain(`http://127.0.0.1:${given + 1}`);
    const address = `http://127.0.0.1:${given + 2}`;
    expect(await stderrOf({ GATEWAY_INTERNAL_URL: address, PORT_BASE: '1' })).toContain(address);
    await lock.release();
    expect(await stderrOf()).toMatch(none);
  });

  it.each([
    ['PORT_BASE', 'five', 'PORT_BASE must be a number'],
    ['GATEWAY_INTERNAL_URL', 'here', 'GATEWAY_INTERNAL_URL is no http address: here'],
    ['CRM_INTERNAL_URL', 'localhost:4031', 'CRM_INTERNAL_URL is no http address: localhost:4031'],
  ])('%s that is none: one clear line, exit code 2', async (name, value, text) => {
    const env = { PATH: process.env.PATH, SYSTEM_DIRECTORY: directory, [name]: value };
    const { code, stdout, stderr } = await operatorBy(ADMIN, env).run(['status']);

    expect(stderr).toContain(`error: ${text}`);
    expect(stderr.trim().split('\n').length).toBe(1);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('3: status shows what it can without the operator’s key, and says that the key is at fault', async () => {
    const file = join(directory, 'damaged.json');
    await writeFile(file, '{"kty');
    const env = { PATH: process.env.PATH, PORT_BASE: String(await freePortBase()), OPERATOR_KEY_FILE: file };
    const { code, stdout } = await operatorBy(ADMIN, env).run(['status']);

    expect(stdout).toContain(`! The operator's key can't be read (${file}: `);
    expect(stdout).not.toContain('no tenant near a quota');
    expect(code).toBe(3);
  });

  it('a watch outlasts a system that is started again, and ends where nobody reads on', async () => {
    const base = await freePortBase();
    const earlier = await takeInstanceLock(directory, base);
    const locks = [earlier];
    const [node = '', ...script] = ADMIN;
    const child = spawn(node, [...script, 'status', '--watch', '1'], {
      env: { PATH: process.env.PATH, SYSTEM_DIRECTORY: directory },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'close');
    let screens = 0;
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      screens += text.includes('SOMETHING NEEDS YOU') ? 1 : 0;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    try {
      await eventually(() => expect(screens).toBeGreaterThan(0));
      await earlier.release();
      await eventually(() => expect(stderr).toMatch(/^error: No system runs in /));
      const before = screens;
      locks.push(await takeInstanceLock(directory, base));
      await eventually(() => expect(screens).toBeGreaterThan(before));
      child.stdout.destroy();
      expect(await ended).toEqual([3, null]);
    } finally {
      child.kill('SIGKILL');
      await ended;
      for (const lock of locks) await lock.release();
    }

    expect(
      stderr
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('error: No system runs in ')),
    ).toEqual([]);
  });

  it('needs no engines of this machine where addresses are given, as in the image of the tools', async () => {
    const address = `http://127.0.0.1:${(await freePortBase()) + 1}`;
    const { stderr } = await operatorBy(ADMIN, {
      PATH: process.env.PATH,
      GATEWAY_INTERNAL_URL: address,
      OPERATOR_KEY_FILE: keyFilesIn(directory).privateKey('operator'),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WITHOUT_LOCAL_STACK)}`,
    }).run(['tenant', 'list']);
    expect(stderr).toContain(`can't be reached or can't answer at ${address}`);
  });

  it('explains itself when asked', async () => {
    const { code, stdout } = await operator.run(['tenant', 'create', '--help']);

    for (const option of ['--name', '--plan', '--timezone', '--currency', '--country', '--json']) {
      expect(stdout).toContain(option);
    }
    expect(code).toBe(0);
    for (const verb of ['import', 'export'])
      expect((await operator.run(['business', verb, '--help'])).stdout).toMatch(/time_off|standard output/);
  });
});
