import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { hairStudio } from '../../../../scripts/seed/hair-studio.ts';
import { ADMIN, type Operator, operatorBy } from '../../../e2e/support/operator.ts';
import { identityKeys } from '../../../support/index.ts';
import { asOperator } from '../as-operator.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;
let directory: string;
let operator: Operator;

beforeAll(async () => {
  world = await startScheduling();
  directory = await mkdtemp(join(tmpdir(), 'frontdesk-business-'));
  const { internal } = world.service;
  await internal.listen({ host: '127.0.0.1', port: 0 });
  operator = operatorBy(ADMIN, {
    PATH: process.env.PATH,
    OPERATOR_KEY_FILE: identityKeys().privateKeyFile('operator'),
    SCHEDULING_INTERNAL_URL: `http://127.0.0.1:${(internal.server.address() as AddressInfo).port}`,
  });
});

afterAll(async () => {
  await world.service.internal.close();
  await world.stop();
  await rm(directory, { recursive: true, force: true });
});

const business = async (words: string, tenantId: number, input?: string) => {
  const { code, stdout, stderr } = await operator.run(
    ['business', ...words.split(' '), '--tenant', String(tenantId)],
    input,
  );
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};

describe('a business in a file', () => {
  it('exported, edited by hand and imported is changed in that place; into another tenant it is a copy', async () => {
    const [tenantId, copy] = [world.newTenant(), world.newTenant()];
    const file = join(directory, 'business.yaml');
    await business('import -', tenantId, JSON.stringify(hairStudio.document));
    expect(await business(`export ${file}`, tenantId)).toBe('');

    const yaml = await readFile(file, 'utf8');
    await writeFile(
      file,
      yaml.replace('Betriebsferien', 'Wir sind im Urlaub').replace('price: 54', 'price: 56'),
    );
    expect(await business(`import ${file}`, tenantId)).toContain('Haarschnitt Damen (');
    const changed = await business('export', tenantId);
    expect(changed).toBe(await readFile(file, 'utf8'));

    await business('import -', copy, changed);
    expect(await business('export', copy)).toBe(changed);
    const { body } = await asOperator(world, copy)('GET', '/business');
    expect(parse(changed)).toEqual(body.data);
    expect(body.data.services[0].price).toBe(56);
  });

  it('is JSON with --json, which is imported just as well', async () => {
    const [tenantId, copy] = [world.newTenant(), world.newTenant()];
    await business('import -', tenantId, JSON.stringify(hairStudio.document));
    const json = await business('export --json', tenantId);
    await business('import -', copy, json);
    expect(JSON.parse(await business('export --json', copy))).toEqual(JSON.parse(json));
  });

  it('that can’t be written, or says something wrong: one clear line, exit code 2', async () => {
    const tenant = ['--tenant', String(world.newTenant())];
    const unwritable = await operator.run(['business', 'export', '/no/such/folder/x.yaml', ...tenant]);
    expect([unwritable.code, unwritable.stdout]).toEqual([2, '']);
    expect(unwritable.stderr).toMatch(/^error: .*can't be written.*\n$/);
    const wrong = await operator.run(
      ['business', 'import', '-', ...tenant],
      'time_off: [{ start: 2031-12-24T00:00, end: 2031-12-23T00:00 }]',
    );
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/^error: .*time_off\.0\.end: Time off must end after it starts\.\n$/);
  });
});
