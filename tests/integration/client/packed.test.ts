import { globSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Business } from '../../e2e/support/business.ts';
import { runCommand } from '../../e2e/support/command.ts';
import { openTarget, type Target } from '../../e2e/support/target.ts';
import { terminalPath } from '../../support/bare-path.ts';
import { createClientBusiness } from './client-business.ts';
import { runFirstSteps, TAKEN_STEPS } from './first-steps.ts';
import { createProject, type Project, readmeBlocks, sdk, typeScript5 } from './project.ts';
import { tryReceivers } from './receivers.ts';

let project: Project;
let target: Target;
let business: Business;
let apiKey: string;

beforeAll(async () => {
  [project, target] = await Promise.all([createProject(), openTarget()]);
  ({ business, apiKey } = await createClientBusiness(target));
});
afterAll(() => project?.remove());

it('the archive has the code with its types, the README and the samples, and no tests', async () => {
  const folder = join(project.directory, 'node_modules/@frontdesk/client');
  const files = globSync('**/*.*', { cwd: folder });
  expect(files).toEqual(
    expect.arrayContaining([
      ...[
        'README.md',
        'dist/esm/index.js',
        'dist/esm/index.d.ts',
        'dist/cjs/index.js',
        'dist/cjs/index.d.ts',
      ],
      ...['dist/esm/cli/main.js', 'samples/express/receiver.ts', 'samples/fastify/receiver.ts'],
    ]),
  );
  expect(files.filter((file) => /test|\.tgz$|^src/.test(file.replace('cli/test-event', '')))).toEqual([]);
});

it('npx runs the command line of the archive, as README and guide say', async () => {
  const env = { PATH: terminalPath(), HOME: project.directory };
  const npx = (...words: string[]) =>
    runCommand([join(terminalPath(), 'npx'), '--offline', 'frontdesk', ...words], {
      env,
      cwd: project.directory,
    });
  expect(await npx('--help')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('listen'),
    stderr: '',
  });
  const { stdout } = await npx('samples', 'call.ended');
  expect(JSON.parse(stdout)).toMatchObject({ event: 'call.ended' });
});

it.each([
  ['ES modules', 'first.mjs', '+49 30 901840'],
  ['CommonJS', 'first.cjs', '+49 30 901841'],
] as const)(
  'a program of %s books through the gateway with the packed client',
  async (_kind, file, phone) => {
    const options = { node: process.execPath, baseUrl: target.gatewayUrl, apiKey, phone };
    expect(await runFirstSteps(project, file, options)).toEqual({ result: TAKEN_STEPS, stderr: '' });
  },
);

it('TypeScript 5 finds the types for ES modules, CommonJS and bundlers, and every block of the README compiles', async () => {
  const blocks = await readmeBlocks();
  expect(blocks.length).toBeGreaterThan(3);
  await Promise.all(blocks.map((block, index) => project.write(`readme-${index}.mts`, block)));
  await project.write('common.cts', "import { Frontdesk } from '@frontdesk/client';\nvoid Frontdesk;\n");
  const files = [...blocks.map((_block, index) => `readme-${index}.mts`), 'common.cts'];
  const paths = files.map((file) => join(project.directory, file));
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
  const types = ['--typeRoots', join(project.directory, 'node_modules/@types'), '--types', 'node'];
  for (const [module, resolution] of [
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ] as const) {
    const words = [
      typeScript5,
      ...options,
      ...types,
      '--skipLibCheck',
      '--module',
      module,
      '--moduleResolution',
      resolution,
    ];
    const { stdout } = await runCommand([process.execPath, ...words, ...paths]);
    expect([module, stdout]).toEqual([module, '']);
  }
});

it('the samples accept a real delivery, handle its second attempt no second time, and refuse a changed body', async () => {
  const samples = await Promise.all(
    ['express', 'fastify'].map(async (name) => {
      const file = join(project.directory, `${name}.ts`);
      await copyFile(join(sdk, `typescript/samples/${name}/receiver.ts`), file);
      return { words: [process.execPath, file], refusal: 400 };
    }),
  );
  await tryReceivers(samples, { target, business, phone: '+49 30 901842' });
});
