import { existsSync } from 'node:fs';
import { runToEnd } from './processes.ts';

const SOURCES = ['libs', 'services', 'scripts', 'tests', 'bench', 'sdk'].filter((folder) =>
  existsSync(folder),
);

/** `npm run check`: every rule that a machine can hold, side by side; only what fails speaks. */
const CHECKS: Record<string, string[]> = {
  types: ['typescript/bin/tsc'],
  'types in the browser': ['typescript/bin/tsc', '-p', 'tsconfig.browser.json'],
  'types of the client': ['typescript/bin/tsc', '-p', 'sdk/typescript', '--noEmit'],
  'types of its command line': ['typescript/bin/tsc', '-p', 'sdk/typescript/tsconfig.cli.json', '--noEmit'],
  'format and lint': ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
  'typed lint': ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  'boundaries between modules': [
    'dependency-cruiser/bin/dependency-cruiser.mjs',
    '--config',
    '.dependency-cruiser.mjs',
    ...SOURCES,
  ],
  'unused code and dependencies': ['knip/bin/knip.js'],
  'description of the API': ['scripts/lint/openapi.ts'],
};

const outcomes = await Promise.all(
  Object.entries(CHECKS).map(async ([name, [script = '', ...args]]) => {
    const startedAt = performance.now();
    const env = { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }) };
    const program = script.startsWith('scripts/') ? script : `node_modules/${script}`;
    const { code, output } = await runToEnd(process.execPath, [program, ...args], { env });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(
      code === 0 ? `ok      ${name} (${seconds} s)` : `FAILED  ${name} (${seconds} s)\n${output.trimEnd()}\n`,
    );
    return code === 0;
  }),
);
process.exitCode = outcomes.every(Boolean) ? 0 : 1;
