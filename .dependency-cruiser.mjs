/**
 * Imports run one way: service → libs; in a service, a file's suffix is its layer: routes, consumers and workers → actions →
 * repositories and clients → rules. Views draw what routes hand them.
 */
const kind = (...suffixes) => `^services/[^/]+/src/.+[.](${suffixes.join('|')})[.]ts$`;
const SOURCE = '^services/[^/]+/src/';
const FEATURE = `${SOURCE}[^/]+$`;
const ROWS_AND_CLIENTS = ['repository', 'entity', 'statements', 'client'];
const MEMORY = ['cache', 'limits', 'queue'];
const libs = (...names) => `^libs/(${names.join('|')})/`;
const tests = '[.]test[.]ts$';

export default {
  forbidden: [
    {
      name: 'services-stand-alone',
      comment: 'Services share libs/, HTTP and Kafka, nothing else.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'libs-know-no-service',
      comment: 'What a lib needs of a service, it is given.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(services|scripts|tests|bench)/' },
    },
    {
      name: 'services-know-no-tools',
      comment: 'Scripts, benchmarks, test support and the local stack use services, not the other way round.',
      severity: 'error',
      from: { path: '^services/' },
      to: { path: ['^(scripts|tests|bench)/', libs('local-stack')] },
    },
    {
      name: 'benchmarks-stand-alone',
      comment: 'What a benchmark shares with tests is in tests/support.',
      severity: 'error',
      from: { pathNot: '^bench/' },
      to: { path: '^bench/' },
    },
    {
      name: 'contracts-depend-on-no-lib',
      severity: 'error',
      from: { path: libs('contracts') },
      to: { path: '^libs/', pathNot: libs('contracts') },
    },
    {
      name: 'fair-depends-on-nothing',
      comment: 'Queues, time-outs and back-offs know nothing of what waits.',
      severity: 'error',
      from: { path: libs('fair'), pathNot: tests },
      to: { pathNot: libs('fair'), dependencyTypesNot: ['core'] },
    },
    {
      name: 'service-lib-depends-on-contracts-and-fair-alone',
      severity: 'error',
      from: { path: libs('service') },
      to: { path: '^libs/', pathNot: libs('service', 'contracts', 'fair') },
    },
    {
      name: 'database-and-events-are-apart',
      comment: 'An outbox is handed its publisher, a consumer its handler.',
      severity: 'error',
      from: { path: '^libs/(database|events)/' },
      to: { path: '^libs/', pathNot: ['^libs/$1/', libs('service', 'contracts', 'fair')] },
    },
    {
      name: 'local-stack-depends-on-no-lib',
      severity: 'error',
      from: { path: libs('local-stack') },
      to: { path: '^libs/', pathNot: libs('local-stack') },
    },
    {
      name: 'client-stands-alone',
      comment: 'Programs elsewhere install it: it has no dependency, and runs in browsers.',
      severity: 'error',
      from: { path: '^sdk/typescript/src/', pathNot: [tests, '^sdk/typescript/src/cli/'] },
      to: { pathNot: '^sdk/typescript/src/(?!cli/)' },
    },
    {
      name: 'command-line-needs-node-alone',
      comment: 'It comes with the client, without a dependency.',
      severity: 'error',
      from: { path: '^sdk/typescript/src/cli/', pathNot: tests },
      to: { pathNot: '^sdk/typescript/src/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'libs-are-entered-by-the-front-door',
      comment:
        'A lib is used by its name, @frontdesk/<name>; requirements.js alone must be readable before npm ci.',
      severity: 'error',
      from: { path: '^(libs/([^/]+)|services|scripts|tests|bench)/', pathNot: '^scripts/bootstrap/' },
      to: { path: '^libs/[^/]+/', pathNot: ['^libs/[^/]+/src/index[.]ts$', '^libs/$2/', 'node_modules'] },
    },
    {
      name: 'rules-are-pure',
      comment:
        'No layer above, no server, database, broker or cache. What else they must not have: pure-rules.grit.',
      severity: 'error',
      from: { path: kind('rules') },
      to: {
        path: [
          SOURCE,
          libs('database', 'events', 'merges', 'tenants', 'wiring'),
          'node_modules/(fastify|@fastify|typeorm|pg|kafkajs|ioredis|undici|lru-cache)/',
        ],
        pathNot: kind('rules'),
      },
    },
    {
      name: 'rows-and-clients-know-no-action',
      severity: 'error',
      from: { path: kind(...ROWS_AND_CLIENTS) },
      to: { path: SOURCE, pathNot: [kind('rules', ...ROWS_AND_CLIENTS, ...MEMORY), `${SOURCE}config[.]ts$`] },
    },
    {
      name: 'memory-knows-only-rules',
      comment: 'What a process keeps in memory is handed what it looks up.',
      severity: 'error',
      from: { path: kind(...MEMORY) },
      to: { path: SOURCE, pathNot: kind('rules', ...MEMORY) },
    },
    {
      name: 'views-draw-what-they-are-given',
      severity: 'error',
      from: { path: kind('view') },
      to: {
        path: kind('routes', 'consumer', 'worker', ...ROWS_AND_CLIENTS, ...MEMORY),
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'entry-points-are-the-features-own',
      comment:
        'Routes, consumers and workers are registered by app.ts; another feature uses the actions, rows and rules.',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/([^/]+)/' },
      to: { path: kind('routes', 'consumer', 'worker'), pathNot: '^services/$1/src/$2/' },
    },
    {
      name: 'no-circles-between-features',
      severity: 'error',
      scope: 'folder',
      from: { path: FEATURE },
      to: { circular: true, viaOnly: { path: FEATURE } },
    },
    {
      name: 'wiring-is-imported-by-nobody',
      comment: 'main.ts and app.ts put the parts together; a part never reaches back for them.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/', pathNot: '^services/[^/]+/src/main[.]ts$' },
      to: { path: '^services/[^/]+/src/(main|app)[.]ts$' },
    },
    {
      name: 'main-only-runs',
      comment: 'config → build → run, nothing else.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/main[.]ts$' },
      to: { path: '^services/', pathNot: '^services/[^/]+/src/(config|app)[.]ts$' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'product-runs-without-development-packages',
      severity: 'error',
      from: { path: '^(services|libs)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'] },
    },
    {
      name: 'everything-imported-exists',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)node_modules/.*/node_modules/' },
    combinedDependencies: true,
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
