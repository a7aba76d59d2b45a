import { join, resolve } from 'node:path';
import { ensureGeneratedClient } from './bootstrap/generated-client.mjs';
import { REPOSITORY } from './repository.ts';
import { readDemo } from './start/progress/demo-file.ts';

/**
 * The client's command line. Without an address or key of its own, `listen` follows a demo business of the system that
 * `npm start` runs.
 */
const { env } = process;
// The contracts may have changed since the system was started.
await ensureGeneratedClient(process.execPath);
const { runFrontdesk } = await import('../sdk/typescript/src/cli/program.ts');
const [command, ...words] = process.argv.slice(2);

const names = (option: string) => words.some((word) => word === option || word.startsWith(`${option}=`));
const isGiven = env.FRONTDESK_URL || env.FRONTDESK_API_KEY || names('--url') || names('--api-key');
const needsDemo = command === 'listen' && !isGiven && !names('--help') && !names('-h');

if (needsDemo && !(await useDemo())) process.exitCode = 2;
else process.exitCode = await runFrontdesk(process.argv.slice(2));

/** The business of the five-minute tour. @returns whether there is one */
async function useDemo(): Promise<boolean> {
  const path = join(resolve(env.SYSTEM_DIRECTORY || join(REPOSITORY, '.local')), 'demo.json');
  const demo = await readDemo(path);
  const tenant = demo?.tenants[1];
  const others = 'set FRONTDESK_URL and FRONTDESK_API_KEY';
  if (!demo || !tenant) {
    console.error(`error: There is no ${path}. Start the system first (npm start), or ${others}.`);
    return false;
  }
  console.error(`Following ${tenant.name}, a demo business of ${path}. For another one, ${others}.`);
  env.FRONTDESK_URL = demo.gateway_url;
  env.FRONTDESK_API_KEY = tenant.api_key;
  return true;
}
