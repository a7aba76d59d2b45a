import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import type { Business } from '../../e2e/support/business.ts';
import type { Target } from '../../e2e/support/target.ts';
import { eventually, freePort, startReceiver } from '../../support/index.ts';

/** A receiver of webhooks that documentation shows. `PORT` in a word stands for the port it is given. */
export interface SampleReceiver {
  words: readonly string[];
  env?: Record<string, string>;
  /** What it answers to a request that is not signed. */
  refusal: number;
}

/** Each accepts a real delivery, handles its second attempt no second time, and refuses what is changed, half signed or old. */
export async function tryReceivers(
  given: readonly SampleReceiver[],
  { target, business, phone }: { target: Target; business: Business; phone: string },
): Promise<void> {
  const receiver = await startReceiver({ host: target.receiverListensOn });
  const samples: Awaited<ReturnType<typeof startSample>>[] = [];
  try {
    const address = `http://${target.receiverHost}:${new URL(receiver.url).port}/hooks`;
    const { secret } = await target.operator.json<{ secret: string }>(
      `webhook create --tenant ${business.tenant.id} --url ${address} --events customer.created`.split(' '),
    );
    for (const sample of given) samples.push(await startSample(sample, secret));
    const forward = (url: string, headers: object, body: string) =>
      fetch(url, { method: 'POST', headers: signedPart(headers), body }).then(({ status }) => status);
    const statuses: number[] = [];
    receiver.respondWith(async ({ headers, rawBody }) => {
      for (const { url } of samples) statuses.push(await forward(url, headers, rawBody));
      // The first attempt fails, so that the event comes again.
      return { status: receiver.requests.length === 1 ? 500 : 200 };
    });
    for (const { url } of samples) await eventually(() => fetch(url));

    await business.api('POST', '/customers', { body: { name: 'Noor Haddad', phone } });
    await eventually(() => expect(statuses).toEqual(Array(2 * samples.length).fill(204)));
    const [first] = receiver.requests;
    if (!first) throw new Error('no webhook yet');
    const { headers, rawBody } = first;
    for (const { url, output, refusal } of samples) {
      expect(await forward(url, headers, rawBody.replace('Noor', 'Nora'))).toBe(refusal);
      for (const [what, changed] of forgeries(headers, rawBody, secret))
        expect([url, what, await forward(url, changed, rawBody)]).toEqual([url, what, refusal]);
      await eventually(() => expect(output()).toContain('customer.created'));
      expect(output().split('customer.created')).toHaveLength(2);
    }
  } finally {
    await Promise.all(samples.map(({ process: child }) => stop(child)));
    await receiver.close();
  }
}

/** Headers of which one signature doesn't fit, or that were sent too long ago. */
function forgeries(headers: object, rawBody: string, secret: string): [string, object][] {
  const sent = new Date(Date.now() - 3_600_000);
  const id = 'evt_of_an_hour_ago';
  const old = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sent.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, sent, rawBody),
  };
  const other = `sha256=${'0'.repeat(64)}`;
  return [
    ['no signature of the service', { ...headers, 'x-service-signature': '' }],
    ['a wrong signature of the service', { ...headers, 'x-service-signature': other }],
    ['no standard signature', { ...headers, 'webhook-signature': '' }],
    ['a standard signature of another time', { ...headers, 'webhook-timestamp': old['webhook-timestamp'] }],
    ['a request of an hour ago', { ...headers, ...old }],
  ];
}

/** What the signature covers; the rest is of the connection. */
const signedPart = (headers: object) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^(webhook-|x-service-|content-type$)/.test(name)),
  ) as Record<string, string>;

async function startSample({ words, env, refusal }: SampleReceiver, secret: string) {
  const port = String(await freePort());
  const [command = '', ...args] = words.map((word) => word.replace('PORT', port));
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: port,
      FRONTDESK_WEBHOOK_SECRET: secret,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return { process: child, url: `http://127.0.0.1:${port}/webhooks`, output: () => output, refusal };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
