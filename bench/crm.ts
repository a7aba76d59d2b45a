import { migrate } from '@frontdesk/database';
import { createLogger } from '@frontdesk/service';
import { migrations } from '../services/crm/src/migrations/index.ts';
import { LARGE_TENANT, loadCustomers } from '../tests/support/customers-data.ts';
import { printTimes } from './crm/print-times.ts';
import { withCrm } from './crm/send.ts';
import { startEnvironment } from './support/environment.ts';

/**
 * What the list of customers costs PostgreSQL where one tenant has 1,000,000 of them: database time of every statement
 * behind each kind of query, by EXPLAIN ANALYZE. Ends with 1 where a query takes 50 ms or more. Filling the database takes
 * some five minutes, most of them for the indexes.
 *
 *   npm run bench:crm [-- customers]
 */
const customers = Number(process.argv[2] ?? 1_000_000);
const environment = await startEnvironment('crm');
try {
  const logger = createLogger({ name: 'bench', level: 'warn' });
  await migrate({ url: environment.databaseUrl, migrations, logger });
  await environment.withClient(async (client) => {
    const started = performance.now();
    const regular = await loadCustomers(client, customers);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(`${customers} customers of one tenant by COPY: ${seconds} s`);
    const areAllQuick = await withCrm(environment, LARGE_TENANT, (send) => printTimes(client, send, regular));
    if (!areAllQuick) process.exitCode = 1;
  });
} finally {
  await environment.stop();
}
