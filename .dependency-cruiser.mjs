/** Imports run one way: service → libs; api, consumers, workers → use-cases → data, clients → domain; state beside. */
const layer = (...names) => `^services/[^/]+/src/(${names.join('|')})/`;
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
      name: 'contracts-depend-on-no-lib',
      severity: 'error',
      from: { path: libs('contracts') },
      to: { path: '^libs/', pathNot: libs('contracts') },
    },
    {
      name: 'service-lib-depends-on-contracts-alone',
      severity: 'error',
      from: { path: libs('service') },
      to: { path: '^libs/', pathNot: libs('service', 'contracts') },
    },
    {
      name: 'database-and-events-are-apart',
      comment: 'An outbox is handed its publisher, a consumer its handler.',
      severity: 'error',
      from: { path: '^libs/(database|events)/' },
      to: { path: '^libs/', pathNot: ['^libs/$1/', libs('service', 'contracts')] },
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
      name: 'domain-is-pure',
      comment:
        'Rules and types: no layer above, no server, database, broker or cache. What else it must not have: pure-domain.grit.',
      severity: 'error',
      from: { path: layer('domain'), pathNot: tests },
      to: {
        path: [
          layer('api', 'consumers', 'workers', 'use-cases', 'data', 'clients', 'state'),
          libs('database', 'events', 'tenants', 'chassis'),
          'node_modules/(fastify|@fastify|typeorm|pg|kafkajs|ioredis|undici|lru-cache)/',
        ],
      },
    },
    {
      name: 'use-cases-know-no-entry-point',
      severity: 'error',
      from: { path: layer('use-cases') },
      to: { path: layer('api', 'consumers', 'workers') },
    },
    {
      name: 'data-and-clients-know-only-domain-and-state',
      severity: 'error',
      from: { path: layer('data', 'clients') },
      to: { path: layer('api', 'consumers', 'workers', 'use-cases') },
    },
    {
      name: 'state-knows-only-the-domain',
      comment: 'What a process keeps in memory: it is handed what it looks up.',
      severity: 'error',
      from: { path: layer('state'), pathNot: tests },
      to: { path: layer('api', 'consumers', 'workers', 'use-cases', 'data', 'clients') },
    },
    {
      name: 'wiring-is-imported-by-nobody',
      comment: 'main.ts and service.ts put the parts together; a part never reaches back for them.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/', pathNot: '^services/[^/]+/src/main[.]ts$' },
      to: { path: '^services/[^/]+/src/(main|service)[.]ts$' },
    },
    {
      name: 'main-only-runs',
      comment: 'config → build → run, nothing else.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/main[.]ts$' },
      to: { path: '^services/', pathNot: '^services/[^/]+/src/(config|service)[.]ts$' },
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
