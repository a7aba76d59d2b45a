import { readFile } from 'node:fs/promises';

interface JestResults {
  numPassedTests: number;
  numFailedTests: number;
  /** Suites that could not be loaded: none of their tests ran. */
  numRuntimeErrorTestSuites: number;
}

export interface TestCounts {
  passed: number;
  failed: number;
}

export const ONE_FAILURE: TestCounts = { passed: 0, failed: 1 };

export const sum = (a: TestCounts, b: TestCounts): TestCounts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
});

export const summaryOf = ({ passed, failed }: TestCounts) => `${passed} passed, ${failed} failed`;

/**
 * Counts by jest's own results. Whatever else went wrong counts as one failure: no results at all, not a single test, or
 * an exit code of jest that they don't explain.
 */
export async function countTests(resultsFile: string, exitCode: number): Promise<TestCounts> {
  const results = await readFile(resultsFile, 'utf8').then(
    (text) => JSON.parse(text) as JestResults,
    () => null,
  );
  if (!results) return ONE_FAILURE;
  const passed = results.numPassedTests;
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  const unexplained = failed === 0 && (passed === 0 || exitCode !== 0);
  return { passed, failed: unexplained ? 1 : failed };
}
