import { leftOutPatterns } from './scripts/test/area-folders.ts';

/** ESM-only packages that tests reach, and what imports one later: turned into CommonJS like our own code. */
const esmOnly = ['cookie', '@fastify/cookie', 'jose', 'marked'];

const shared = {
  testEnvironment: '<rootDir>/tests/support/closed-environment.ts',
  // d3 ships nothing else that isn't an ES module.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons', 'umd'] },
  testMatch: ['**/*.test.ts'],
  transform: {
    '^.+\\.[jt]s$': [
      '@swc/jest',
      {
        jsc: { target: 'es2024', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs', importInterop: 'node' },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
};

export default {
  // A test waits for engines and services nearly half of its time: on two cores a third worker fills it in.
  maxWorkers: 3,
  // A worker keeps some of the memory of each file; one with more than this ends between files, and a new one goes on.
  workerIdleMemoryLimit: '1GB',
  // Longer than any wait inside a test, which then fails with what it waited for.
  testTimeout: 360_000,
  // A worker whose files have closed everything ends by itself, on a busy machine later than in jest's half second.
  workerGracefulExitTimeout: 30_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      roots: ['<rootDir>/libs', '<rootDir>/services', '<rootDir>/scripts', '<rootDir>/sdk'],
      testPathIgnorePatterns: leftOutPatterns(process.env),
    },
    {
      ...shared,
      displayName: 'system',
      roots: ['<rootDir>/tests'],
      setupFiles: ['<rootDir>/tests/support/watch-queries.ts'],
      testPathIgnorePatterns: [
        // Its engines are local processes, which a machine that runs the others in containers need not be able to have.
        ...(process.env.TEST_ENGINES === 'containers' ? ['/tests/integration/local-stack/'] : []),
        ...leftOutPatterns(process.env),
      ],
      globalSetup: '<rootDir>/tests/support/global-setup.ts',
      globalTeardown: '<rootDir>/tests/support/global-teardown.ts',
    },
  ],
};
