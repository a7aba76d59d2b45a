import { removeEngineData } from '@frontdesk/local-stack';
import { dropTestDatabases } from './test-database.ts';
import { testRun } from './test-run.ts';

export default async function tearDown(): Promise<void> {
  await testRun.sharedSystem?.stop();
  if (testRun.databaseOutlivesRun) await dropTestDatabases();
  await testRun.engines?.stop();
  if (testRun.directory) await removeEngineData(testRun.directory);
}
