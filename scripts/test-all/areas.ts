import type { TestCounts } from '../test/count-tests.ts';
import { runTests } from '../test/run-tests.ts';
import { testClient } from './client.ts';
import { testCompatibility } from './compatibility.ts';
import { testCompose } from './compose.ts';
import { testWithSchemathesis } from './schemathesis.ts';
import { testUnderStress } from './stress.ts';
import {
  compose,
  docker,
  go,
  historyTo010,
  php,
  prometheus,
  promtool,
  python,
  stressNg,
  type Tool,
} from './tools.ts';

/** Tests that need more than a bare machine. */
export interface Area {
  /** One line for the help. */
  purpose: string;
  tools: readonly Tool[];
  /** `args` follow the area's name. Ctrl-C aborts `stop`; jest gets the signal itself. */
  run(args: readonly string[], stop: AbortSignal): Promise<TestCounts>;
}

export const AREAS: Readonly<Record<string, Area>> = {
  containers: {
    purpose: 'the tests of npm test, on PostgreSQL, Redis and Kafka in containers',
    tools: [docker],
    run: (args) => runTests(args, { ...process.env, TEST_ENGINES: 'containers' }),
  },
  compose: {
    purpose: 'the system of docker-compose.yml, built and tried from outside',
    tools: [docker, compose],
    run: testCompose,
  },
  client: {
    purpose:
      'the packed client in an old Node and a browser, and the receivers of the guides in their languages',
    tools: [go, php, python],
    run: testClient,
  },
  compatibility: {
    purpose:
      'the description of API v1, compared with that of the last release, and that release on databases of this one',
    tools: [go, historyTo010],
    run: testCompatibility,
  },
  observability: {
    purpose: 'alerts and dashboards, held to the running system by Prometheus',
    tools: [prometheus, promtool],
    run: (args) => runTests(['tests/observability', ...args], { ...process.env, PROMETHEUS: 'yes' }),
  },
  schemathesis: {
    purpose: 'the running system, held to /openapi.json by thousands of generated requests',
    tools: [python],
    run: testWithSchemathesis,
  },
  stress: {
    purpose: 'the tests of npm test on a busy machine; --times 5 repeats them',
    tools: [stressNg],
    run: testUnderStress,
  },
};
