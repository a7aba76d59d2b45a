import { join } from 'node:path';
import { runCommand } from '../e2e/support/command.ts';
import { openTarget } from '../e2e/support/target.ts';
import { createClientBusiness } from '../integration/client/client-business.ts';
import { runFirstSteps, TAKEN_STEPS } from '../integration/client/first-steps.ts';
import { tryCommandLine } from '../integration/client/packed-listen.ts';
import { createProject, type Project } from '../integration/client/project.ts';
import { tryReceivers } from '../integration/client/receivers.ts';

const { CLIENT_NODE_18: node = '' } = process.env;
const RECEIVERS = join(import.meta.dirname, '../../libs/reference/samples/receivers');

let project: Project;
beforeAll(async () => {
  project = await createProject();
});
afterAll(() => project?.remove());

it.each([
  ['ES modules', 'first.mjs', '+49 30 901840'],
  ['CommonJS', 'first.cjs', '+49 30 901841'],
] as const)('a program of %s books with the packed client in Node 18', async (_kind, file, phone) => {
  const target = await openTarget();
  const { apiKey } = await createClientBusiness(target);
  const options = { node, baseUrl: target.gatewayUrl, apiKey, phone };
  expect(await runFirstSteps(project, file, options)).toEqual({ result: TAKEN_STEPS, stderr: '' });
});

it('the packed command line forwards events and examples in Node 18', async () => {
  const target = await openTarget();
  const { business, apiKey } = await createClientBusiness(target);
  const { gatewayUrl } = target;
  await tryCommandLine(project, { node, gatewayUrl, apiKey, business, phone: '+49 30 901845' });
});

it('the receivers of the guides, in Node.js, Python, PHP and Go, take real deliveries once and refuse what is forged', async () => {
  const target = await openTarget();
  const { business } = await createClientBusiness(target);
  const file = (name: string) => join(RECEIVERS, name);
  // `go run` leaves its program behind when it is stopped.
  const goProgram = join(project.directory, 'receiver');
  expect(await runCommand(['go', 'build', '-o', goProgram, file('receiver.go')])).toMatchObject({ code: 0 });
  await tryReceivers(
    [
      { words: [process.execPath, file('receiver.mjs')], refusal: 400 },
      { words: ['python3', '-u', file('receiver.py')], refusal: 400 },
      {
        words: ['php', '-q', '-S', '127.0.0.1:PORT', file('receiver.php')],
        env: { FRONTDESK_EVENTS: join(project.directory, 'events') },
        refusal: 400,
      },
      { words: [goProgram], refusal: 400 },
    ],
    { target, business, phone: '+49 30 901843' },
  );
});
