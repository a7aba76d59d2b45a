import {
  PATIENT,
  type Running,
  runFrontdesk,
  runTimeFolder,
  startFrontdesk,
  untilListening,
} from '../../../tests/integration/client/command-line.ts';
import { freePort } from '../../../tests/support/ports.ts';
import { startReceiver } from '../../../tests/support/receiver.ts';
import { startScriptedFeed } from './scripted-feed.ts';
import { API_KEY } from './scripted-server.ts';

/** A feed, a receiver, and the command line of one user, as processes. */
export async function createListenWorld() {
  // Reserved: once the receiver is closed, nobody else listens there.
  const port = await freePort();
  const [feed, receiver, folder] = await Promise.all([
    startScriptedFeed(),
    startReceiver({ port }),
    runTimeFolder(),
  ]);
  const running: Running[] = [];
  const environment = {
    FRONTDESK_URL: feed.api.url,
    FRONTDESK_API_KEY: API_KEY,
    XDG_RUNTIME_DIR: folder.path,
  };
  const start = (words: readonly string[]) => {
    const listener = startFrontdesk(['listen', ...words], environment, PATIENT);
    running.push(listener);
    return listener;
  };
  return {
    feed,
    receiver,
    environment,
    start,
    /** The user's run-time folder. */
    folder: folder.path,
    /** Starts `listen --json` and waits until it listens. */
    async listening(words: readonly string[] = ['--forward', `${receiver.url}/hooks`]) {
      const listener = start(['--json', ...words]);
      await untilListening(listener);
      return listener;
    },
    trigger: (...words: string[]) =>
      runFrontdesk(['trigger', ...words], { XDG_RUNTIME_DIR: folder.path }, PATIENT),
    async close() {
      // Requests that wait for an event end.
      feed.fault = { status: 503 };
      for (const listener of running) {
        listener.kill('SIGKILL');
        await listener.ended;
      }
      await Promise.all([feed.api.close(), receiver.close()]);
      await folder.remove();
    },
  };
}
