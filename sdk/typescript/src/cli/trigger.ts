import type { Bounds } from './bounds.ts';
import { type ListenerState, requestExample, Silent, stateOf } from './channel.ts';
import { eventNamed } from './event-names.ts';
import { EXIT_DONE, EXIT_FAILED, Failed, WrongUse } from './exit-codes.ts';
import { findListeners, type Listener, removeListener } from './listener-folder.ts';
import { deliveryLine } from './report.ts';
import { plain, type Terminal } from './terminal.ts';
import { parsed, receiverUrl } from './words.ts';

const OPTIONS = {
  forward: { type: 'string' },
  pid: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** Has the running listener forward an example. Nothing reaches Frontdesk. @returns the exit code */
export async function trigger(words: readonly string[], terminal: Terminal, bounds: Bounds): Promise<number> {
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
    timeoutMs: bounds.checkMs,
  });
  const record = await requestExample(listener, name, bounds);
  if (record === null) throw new Failed('The listener ended before it answered.');
  terminal.out(values.json ? JSON.stringify(record) : deliveryLine(record, terminal.hasColours));
  return record.fault ? EXIT_FAILED : EXIT_DONE;
}

/** The one listener that is meant. @throws Failed without one, and if it does not answer @throws WrongUse for several */
async function findOnly(
  isMeant: (listener: Listener) => boolean,
  env: NodeJS.ProcessEnv,
  { isAny, timeoutMs }: { isAny: boolean; timeoutMs: number },
): Promise<Listener> {
  const all = await findListeners(env);
  const meant = await presentOf(all.filter(isMeant), env, timeoutMs);
  const [only] = meant;
  if (only && meant.length === 1) {
    if (only.state === 'silent') throw new Silent(only);
    return only;
  }
  const present = isAny || meant.length > 1 ? meant : await presentOf(all, env, timeoutMs);
  const list = present.map((listener) => `\n  ${lineOf(listener)}`).join('');
  if (meant.length > 1) throw new WrongUse(`Several listeners run; choose one by --forward or --pid:${list}`);
  if (isAny || present.length === 0)
    throw new Failed(
      'No listener of yours runs on this machine. Start one in another terminal: frontdesk listen --forward <url>.',
    );
  throw new Failed(`No such listener runs. There are:${list}`);
}

interface Present extends Listener {
  state: Exclude<ListenerState, 'ended'>;
}

/** The listeners that have not ended. All are asked at once, so that one that hangs delays no other. */
async function presentOf(
  listeners: readonly Listener[],
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
): Promise<Present[]> {
  const states = await Promise.all(listeners.map((listener) => stateOf(listener, { timeoutMs })));
  const present: Present[] = [];
  for (const [nth, listener] of listeners.entries()) {
    const state = states[nth] ?? 'ended';
    if (state === 'ended') await removeListener(listener, env);
    else present.push({ ...listener, state });
  }
  return present;
}

const lineOf = ({ pid, forward, state }: Present) =>
  `--pid ${pid}  ${plain(forward ?? 'forwards to nobody')}${state === 'silent' ? '  (does not answer)' : ''}`;
