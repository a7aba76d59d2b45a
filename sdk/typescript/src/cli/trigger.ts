import { isRunning, requestExample } from './channel.ts';
import { eventNamed } from './event-names.ts';
import { EXIT_DONE, EXIT_FAILED, Failed, WrongUse } from './faults.ts';
import { findListeners, type Listener, removeListener } from './listener-folder.ts';
import { deliveryLine } from './report.ts';
import { plain, type Terminal } from './terminal.ts';
import { parsed, receiverUrl } from './words.ts';

const OPTIONS = {
  forward: { type: 'string' },
  pid: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** Has the running listener forward an example. Nothing of it reaches Frontdesk. @returns the exit code */
export async function trigger(words: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parsed('trigger', words, OPTIONS, { maxArguments: 1 });
  const [name] = positionals;
  if (name === undefined) throw new WrongUse('Which event? See frontdesk trigger --help.');
  eventNamed(name);
  const forward = values.forward === undefined ? undefined : receiverUrl(values.forward).href;
  const isMeant = (listener: Listener) =>
    (forward === undefined || listener.forward === forward) &&
    (values.pid === undefined || String(listener.pid) === values.pid);

  const listener = await findOnly(isMeant, terminal.env, {
    isAny: forward === undefined && values.pid === undefined,
  });
  const record = await requestExample(listener, name);
  if (record === null) throw new Failed('The listener ended before it answered.');
  terminal.out(values.json ? JSON.stringify(record) : deliveryLine(record, terminal.hasColours));
  return record.fault ? EXIT_FAILED : EXIT_DONE;
}

/** The running listener that is meant. @throws Failed without one WrongUse for several */
async function findOnly(
  isMeant: (listener: Listener) => boolean,
  env: NodeJS.ProcessEnv,
  { isAny }: { isAny: boolean },
): Promise<Listener> {
  const all = await findListeners(env);
  const meant = await runningOf(all.filter(isMeant), env);
  const [only] = meant;
  if (only && meant.length === 1) return only;
  const running = isAny || meant.length > 1 ? meant : await runningOf(all, env);
  const list = running
    .map(({ pid, forward: to }) => `\n  --pid ${pid}  ${plain(to ?? 'forwards to nobody')}`)
    .join('');
  if (meant.length > 1) throw new WrongUse(`Several listeners run; choose one by --forward or --pid:${list}`);
  if (isAny || running.length === 0)
    throw new Failed(
      'No listener of yours runs on this machine. Start one in another terminal: frontdesk listen --forward <url>.',
    );
  throw new Failed(`No such listener runs. There are:${list}`);
}

/** Those that run, or at least have not ended; asked all at once, as one may hang. */
async function runningOf(listeners: readonly Listener[], env: NodeJS.ProcessEnv): Promise<Listener[]> {
  const areRunning = await Promise.all(listeners.map((listener) => isRunning(listener).catch(() => true)));
  for (const [nth, listener] of listeners.entries())
    if (!areRunning[nth]) await removeListener(listener, env);
  return listeners.filter((_listener, nth) => areRunning[nth]);
}
