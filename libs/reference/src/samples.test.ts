import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { exampleOf } from '@frontdesk/contracts';
import { freePorts } from '@frontdesk/local-stack';

const FOLDER = join(import.meta.dirname, '..', 'samples', 'receivers');
const SECRET = 'whsec_c2VjcmV0';

/** The answer of a receiver that may not listen yet. */
async function post(url: string, body: string, signature: string): Promise<number> {
  const headers = { 'x-service-signature': signature, connection: 'close' };
  for (;;) {
    const response = await fetch(url, { method: 'POST', body, headers }).catch(() => null);
    if (response) return response.status;
    await new Promise(setImmediate);
  }
}

it('the receiver takes what is signed, repeated too, and refuses what is not', async () => {
  const [port = 0] = await freePorts(1);
  const env = { ...process.env, FRONTDESK_WEBHOOK_SECRET: SECRET, PORT: String(port) };
  const receiver = spawn(process.execPath, [join(FOLDER, 'receiver.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed: string[] = [];
  receiver.stdout.setEncoding('utf8').on('data', (text: string) => printed.push(text));
  try {
    const body = JSON.stringify(exampleOf('appointment.created'));
    const signed = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
    const url = `http://127.0.0.1:${port}/`;
    expect(await post(url, body, signed)).toBe(204);
    expect(await post(url, body, signed)).toBe(204);
    expect(await post(url, `${body} `, signed)).toBe(400);
    expect(await post(url, body, '')).toBe(400);
  } finally {
    receiver.kill();
    await once(receiver, 'close');
  }
  expect(printed.join('')).toBe('appointment.created 5\n');
});
