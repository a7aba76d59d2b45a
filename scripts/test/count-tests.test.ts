import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTests } from './count-tests.ts';

describe('what `npm test` counts', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'count-tests-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const count = async (results: object, exitCode: number) => {
    const file = join(directory, 'results.json');
    await writeFile(
      file,
      JSON.stringify({ numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0, ...results }),
    );
    return countTests(file, exitCode);
  };

  it('is what jest reports', async () => {
    expect(await count({ numPassedTests: 3 }, 0)).toEqual({ passed: 3, failed: 0 });
    expect(await count({ numPassedTests: 3, numFailedTests: 2 }, 1)).toEqual({ passed: 3, failed: 2 });
  });

  it('takes a suite that could not be loaded for a failure', async () => {
    expect(await count({ numPassedTests: 3, numRuntimeErrorTestSuites: 1 }, 1)).toEqual({
      passed: 3,
      failed: 1,
    });
  });

  it('takes a run without any test for a failure', async () => {
    expect(await count({}, 0)).toEqual({ passed: 0, failed: 1 });
  });

  it('takes an exit code that no result explains for a failure', async () => {
    expect(await count({ numPassedTests: 3 }, 1)).toEqual({ passed: 3, failed: 1 });
  });

  it('takes missing results for a failure', async () => {
    expect(await countTests(join(directory, 'none.json'), 0)).toEqual({ passed: 0, failed: 1 });
  });
});
