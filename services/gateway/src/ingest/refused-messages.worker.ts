import type { RefusedByGateway } from '@frontdesk/contracts';
import { type Component, type Logger, loop } from '@frontdesk/service';
import type { CallSources } from './call-sources.client.ts';

const REPORT_EVERY_MS = 1_000;
/** Pairs of source and reason that are kept while calls is away; further ones are not counted. */
const MAX_UNREPORTED = 10_000;
const BATCH = 500;

/** Counts the messages that the gateway refuses for a source, and reports them to calls once a second and before the gateway stops. */
export function createRefusedMessages(options: {
  sources: Pick<CallSources, 'reportRefused'>;
  logger: Logger;
}) {
  const { sources, logger } = options;
  let unreported = new Map<string, RefusedByGateway>();

  const add = ({ token, reason, messages }: RefusedByGateway) => {
    const key = `${token}:${reason}`;
    const known = unreported.get(key);
    if (known) known.messages += messages;
    else if (unreported.size < MAX_UNREPORTED) unreported.set(key, { token, reason, messages });
  };

  const report = async () => {
    const left = [...unreported.values()];
    unreported = new Map();
    try {
      while (left.length > 0) {
        const batch = left.slice(-BATCH);
        await sources.reportRefused(batch);
        left.length -= batch.length;
      }
    } catch (error) {
      for (const count of left) add(count);
      throw error;
    }
  };

  const worker = loop({ name: 'refused messages', intervalMs: REPORT_EVERY_MS, run: report, logger });
  const component: Component = {
    ...worker,
    async stop() {
      await worker.stop();
      await report().catch((error) => logger.warn({ err: error }, 'refused messages were not counted'));
    },
  };
  return {
    component,
    note: (token: string, reason: RefusedByGateway['reason']) => add({ token, reason, messages: 1 }),
  };
}
