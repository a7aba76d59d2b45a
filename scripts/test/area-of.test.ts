import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { areaHint } from './area-of.ts';

describe('paths that npm test leaves out', () => {
  it.each([
    ['tests/client', 'client'],
    ['tests/schemathesis/every-answer.test.ts', 'schemathesis'],
    ['./tests/observability/with-prometheus/', 'observability'],
    ['scripts/release/compare.test.ts', 'compatibility'],
  ])('names the area of %s', (path, area) => {
    expect(areaHint(['--verbose', path])).toContain(`npm run test:all -- ${area} runs it`);
  });

  it.each(['tests/integration/client', 'tests/observability/files.test.ts', '--verbose', 'crm'])(
    'runs %s',
    (argument) => expect(areaHint([argument])).toBeNull(),
  );

  it('are those of jest’s configuration', async () => {
    const config = await readFile(join(import.meta.dirname, '../../jest.config.mjs'), 'utf8');
    const leftOut = [...config.matchAll(/\['\/(.+)\/'\]/g)].map(([, folder = '']) => folder);
    const ofEngines = leftOut.filter((folder) => areaHint([folder]) === null);
    expect(ofEngines).toEqual(['tests/integration/local-stack']);
    expect(leftOut).toHaveLength(6);
  });
});
