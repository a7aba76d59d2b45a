import { once } from 'node:events';
import { createServer } from 'node:net';

/** What closed-environment.test.ts runs jest on: the test passes, and the file leaves a server open. */
it('passes', async () => {
  await once(createServer().listen(0, '127.0.0.1'), 'listening');
});
