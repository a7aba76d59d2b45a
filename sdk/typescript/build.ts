import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ensureGeneratedClient } from '../../scripts/bootstrap/generated-client.mjs';

/** Makes dist/: what the contracts say, then the same sources as ES modules and as CommonJS, each with its types, and the command line. */
const here = import.meta.dirname;
const dist = join(here, 'dist');
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

function compile(project: string, ...options: string[]): void {
  const words = [tsc, '-p', join(here, project), ...options];
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

await ensureGeneratedClient(process.execPath);
rmSync(dist, { recursive: true, force: true });
compile('tsconfig.json', '--outDir', join(dist, 'esm'));
// Only as ES modules: nobody imports the command line.
compile('tsconfig.cli.json', '--outDir', join(dist, 'esm'));
const asCommonJs = [
  '--module',
  'commonjs',
  '--moduleResolution',
  'bundler',
  '--verbatimModuleSyntax',
  'false',
];
compile('tsconfig.json', '--outDir', join(dist, 'cjs'), ...asCommonJs);
// The package is one of ES modules; below here it isn't.
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
// The compiler leaves the sources' suffix in types, which other compilers need not follow.
for (const file of globSync('**/*.d.ts', { cwd: dist })) {
  const path = join(dist, file);
  const types = readFileSync(path, 'utf8');
  writeFileSync(path, types.replaceAll(/(from '\.{1,2}\/[^']*)\.ts'/g, "$1.js'"));
}
