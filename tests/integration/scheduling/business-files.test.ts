import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { hairStudio } from '../../../scripts/seed/hair-studio.ts';
import { type Operator, operatorBy } from '../../e2e/support/operator.ts';
import { identityKeys } from '../../support/index.ts';
import { asOperator } from './as-operator.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;
let directory: string;
let operator: Operator;

beforeAll(async () => {
  world = await startScheduling();
  directory = await mkdtemp(join(tmpdir(), 'frontdesk-business-'));
  const { internal } = world.service;
  await internal.listen({ host: '127.0.0.1', port: 0 });
  operator = operatorBy([process.execPath, join(import.meta.dirname, '../../../scripts/admin/main.ts')], {
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

/** More entries than the service takes at once: 25 staff with as many spans and dates as a calendar may have. */
function largeDocument() {
  const spans = Array.from({ length: 12 }, (_, n) => ({
    ...{ start: `${String(n).padStart(2, '0')}:00`, end: `${String(n).padStart(2, '0')}:45` },
  }));
  const exceptions = Array.from({ length: 400 }, (_, n) => ({
    ...{ date: new Date(Date.UTC(2031, 0, 1 + n)).toISOString().slice(0, 10), hours: spans },
  }));
  const staff = Array.from({ length: 25 }, (_, n) => ({ name: `Staff ${n}`, services: ['Cut'], exceptions }));
  return { services: [{ name: 'Cut', duration_minutes: 30, price: 10 }], staff };
}

describe('a business in a file', () => {
  it('is imported again however large it is', async () => {
    const [tenantId, copy] = [world.newTenant(), world.newTenant()];
    const [file, copied] = [join(directory, 'large.json'), join(directory, 'copy.json')];
    await writeFile(file, JSON.stringify(largeDocument()));
    await business(`import ${file}`, tenantId);
    await business(`export ${file} --json`, tenantId);
    await business(`import ${file}`, copy);
    await business(`export ${copied} --json`, copy);
    const { staff } = JSON.parse(await readFile(copied, 'utf8'));
    expect([staff.length, staff[24].exceptions.length]).toEqual([25, 400]);
    expect(await readFile(copied, 'utf8')).toBe(await readFile(file, 'utf8'));
  });

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
