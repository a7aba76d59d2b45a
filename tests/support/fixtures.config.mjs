import config from '../../jest.config.mjs';

const [unit] = config.projects;

/** Runs a fixture of this folder like a unit test, in a worker of its own. */
export default {
  ...unit,
  rootDir: '../..',
  roots: [import.meta.dirname],
  testMatch: ['**/*.fixture.ts'],
  testEnvironmentOptions: { closedWithinMs: 100 },
  // Watching the memory of workers keeps jest from running a lone file in its own process.
  workerIdleMemoryLimit: '1GB',
  // As with --json, which scripts/test.ts passes.
  useStderr: true,
};
