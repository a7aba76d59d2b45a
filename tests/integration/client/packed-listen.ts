import { join } from 'node:path';
import { verifyWebhook } from '../../../sdk/typescript/src/index.ts';
import { type Business, createCustomer } from '../../e2e/support/business.ts';
import { eventually, startReceiver } from '../../support/index.ts';
import { runFrontdesk, runTimeFolder, startFrontdesk, untilListening } from './command-line.ts';
import type { Project } from './project.ts';

/** The packed client's `frontdesk` forwards a real event and an example, and prints samples. */
export async function tryCommandLine(
  project: Project,
  options: { node: string; gatewayUrl: string; apiKey: string; business: Business; phone: string },
): Promise<void> {
  const { node, gatewayUrl, apiKey, business, phone } = options;
  // As the installation has made it executable; the Node is ours to choose.
  const command = [node, join(project.directory, 'node_modules/.bin/frontdesk')];
  const [receiver, folder] = await Promise.all([startReceiver(), runTimeFolder()]);
  const env = { FRONTDESK_URL: gatewayUrl, FRONTDESK_API_KEY: apiKey, XDG_RUNTIME_DIR: folder.path };
  const words = ['listen', '--json', '--forward', receiver.url.replace('127.0.0.1', 'localhost')];
  const listener = startFrontdesk(words, env, command);
  try {
    const { secret } = await untilListening(listener);
    await createCustomer(business.api, 'Packed', phone);
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    // A listener that is slow to answer a check gets no example.
    const triggered = await eventually(async () => {
      const ended = await runFrontdesk(['trigger', 'call.ended'], env, command);
      expect(ended.stderr).not.toContain('does not answer');
      return ended;
    });
    expect(triggered).toMatchObject({ code: 0, stderr: '' });
    const events = await Promise.all(
      receiver.requests.map(({ headers, rawBody: body }) => verifyWebhook({ headers, body, secret })),
    );
    expect(events).toMatchObject([{ event: 'customer.created' }, { event: 'call.ended', test: true }]);
    const { code, stdout, stderr } = await runFrontdesk(['samples'], env, command);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toHaveLength(8);
    listener.kill();
    expect([await listener.ended, listener.stderr()]).toEqual([0, '']);
  } finally {
    listener.kill('SIGKILL');
    await listener.ended;
    await receiver.close();
    await folder.remove();
  }
}
