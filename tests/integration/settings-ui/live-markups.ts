import type { Browser } from './inject-browser.ts';
import type { SettingsWorld } from './settings-world.ts';

/** The markup that a stream sends to this browser, one after the other; of several elements, all of it. */
export async function liveMarkups(
  { api }: SettingsWorld['settings'],
  browser: Browser,
  path: string,
): Promise<AsyncGenerator<string, undefined>> {
  const headers = { cookie: `frontdesk=${browser.jar.get('frontdesk')}`, 'accept-encoding': 'br' };
  const answer = await fetch(api.listeningOrigin + path, { headers });
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  return markups(answer);
}

/** Streams don't end of their age, a minute, which a busy machine needs for less. For `beforeEach`. */
export function withoutAge(): void {
  jest.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
}

/** Reads on until the stream sends what fits. */
export async function until(stream: AsyncGenerator<string, undefined>, fitting: RegExp): Promise<string> {
  for (;;) {
    const { value, done } = await stream.next();
    if (done) throw new Error(`The stream has ended without ${fitting}.`);
    if (fitting.test(value)) return value;
  }
}

/** Reads on until the stream ends, whatever it has still to say. */
export async function ended(stream: AsyncGenerator<string, undefined>): Promise<void> {
  for await (const _ of stream);
}

const markupOf = (sent: string | Record<string, string>) =>
  typeof sent === 'string' ? sent : Object.values(sent).join('\n');

async function* markups(answer: Response): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events)
      if (event.startsWith('data: ')) yield markupOf(JSON.parse(event.slice('data: '.length)));
  }
}
