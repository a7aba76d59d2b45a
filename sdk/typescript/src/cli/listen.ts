import { randomUUID } from 'node:crypto';
import { Frontdesk } from '../frontdesk.ts';
import type { FeedPage } from '../resources/events.ts';
import type { Bounds } from './bounds.ts';
import { openChannel } from './channel.ts';
import { createDeliver } from './deliver.ts';
import { payloadOf, selectionOf } from './event-names.ts';
import { EXIT_DONE, WrongUse } from './exit-codes.ts';
import { deliveryRecord, jsonReport, textReport } from './report.ts';
import { createFaultNotes, noteOf } from './retry-notes.ts';
import { signingSecret } from './signing.ts';
import { BROKEN_PIPE, type Terminal } from './terminal.ts';
import { testPayloadOf } from './test-event.ts';
import { parsed, receiverUrl } from './words.ts';

const LATEST = 'latest';
const OLDEST = 'oldest';
/** Somebody looks at the terminal, and can end it. */
const MAX_RETRY_WAIT_MS = 60_000;

/** Follows the feed until the terminal's signal aborts; each event goes to the receiver, in order. @returns the exit code */
export async function listen(
  words: readonly string[],
  terminal: Terminal,
  { deliveryMs }: Bounds,
): Promise<number> {
  const { env, signal } = terminal;
  const options = optionsOf(words, env);
  const { frontdesk, forward, selection, from, secret } = options;
  const report = options.isJson ? jsonReport(terminal) : textReport(terminal);
  const deliver = createDeliver({ forward, secret, signal, timeoutMs: deliveryMs });
  const query = selection.types === undefined ? {} : { types: selection.types };
  let cursor = from;

  const take = async ({ data, meta }: FeedPage) => {
    for (const event of data) {
      const name = selection.nameOf(event.event);
      report.delivery(await deliver(payloadOf(event, name), event.cursor));
      cursor = event.cursor;
    }
    cursor = meta.next_cursor;
  };
  const handleExample = async (name: string) => {
    const payload = testPayloadOf(selection.nameFor(name), { id: `evt_${randomUUID()}`, at: new Date() });
    const delivery = await deliver(payload, null);
    report.delivery(delivery);
    return deliveryRecord(delivery);
  };

  let channel: { close(): Promise<void> } | undefined;
  let isStarted = false;
  try {
    // A fault of this first request ends the command. Later ones pass by.
    const after = from === OLDEST ? {} : { after: from };
    const first = await frontdesk.events.list(
      { ...query, ...after },
      {
        signal,
        maxRetryWaitMs: MAX_RETRY_WAIT_MS,
        onRetry: (notice) => report.note(noteOf(notice)),
      },
    );
    if (from === LATEST) cursor = first.meta.next_cursor;
    channel = await openChannel({ forward: forward?.href ?? null, env, handle: handleExample }).catch(
      (error: Error) => {
        report.note(`frontdesk trigger can't reach this listener: ${error.message}`);
        return undefined;
      },
    );
    report.started({
      url: options.url,
      forward: forward?.href ?? null,
      newSecret: forward && options.isNewSecret ? secret : null,
      cursor: cursor === OLDEST ? null : cursor,
    });
    isStarted = true;
    await take(first);
    const notes = createFaultNotes(report);
    const pages = frontdesk.events.followPages(
      { ...query, after: first.meta.next_cursor },
      { signal, onFault: notes.fault },
    );
    for await (const page of pages) {
      notes.page(page);
      await take(page);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    // Before the channel closes, which may fail: without its cursor nobody could go on.
    if (isStarted && signal.reason !== BROKEN_PIPE) report.ended(cursor);
    await channel?.close();
  }
  return EXIT_DONE;
}

const OPTIONS = {
  forward: { type: 'string' },
  events: { type: 'string' },
  from: { type: 'string', default: LATEST },
  secret: { type: 'string' },
  url: { type: 'string' },
  'api-key': { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** The options; a typed one takes precedence over the environment. @throws WrongUse */
function optionsOf(words: readonly string[], env: NodeJS.ProcessEnv) {
  const { values } = parsed('listen', words, OPTIONS);
  const apiKey = values['api-key'] || env.FRONTDESK_API_KEY;
  const url = values.url || env.FRONTDESK_URL;
  if (!url) throw new WrongUse('Set FRONTDESK_URL (or --url) to the address of Frontdesk, without /api/v1.');
  if (!apiKey)
    throw new WrongUse(
      'Set FRONTDESK_API_KEY to an API key: an admin of the business makes keys in the settings.',
    );
  return {
    url,
    from: values.from,
    isJson: values.json,
    frontdesk: new Frontdesk({ apiKey, baseUrl: url }),
    forward: values.forward === undefined ? null : receiverUrl(values.forward),
    selection: selectionOf(values.events),
    ...signingSecret(values.secret || env.FRONTDESK_WEBHOOK_SECRET),
  };
}
