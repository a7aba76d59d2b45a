import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { exampleOf } from '@frontdesk/contracts';
import { freePorts } from '@frontdesk/local-stack';

const FOLDER = join(import.meta.dirname, '..', '..', 'samples', 'receivers');
const SECRET = 'whsec_c2VjcmV0';

const hmac = (key: string | Buffer) => createHmac('sha256', key);

/** Both signatures of a body, as they are `secondsAgo`. */
function signed(body: string, { secret = SECRET, secondsAgo = 0 } = {}): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000) - secondsAgo);
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return {
    'x-service-signature': `sha256=${hmac(secret).update(body).digest('hex')}`,
    'webhook-id': 'evt_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmac(key).update(`evt_1.${timestamp}.${body}`).digest('base64')}`,
  };
}

/** The answer of a receiver that may not listen yet. */
async function post(url: string, body: string, signatures: Record<string, string>): Promise<number> {
  const headers = { ...signatures, connection: 'close' };
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
    const url = `http://127.0.0.1:${port}/`;
    const genuine = signed(body);
    const forged = signed(body, { secret: 'whsec_b3RoZXI=' });
    expect(await post(url, body, genuine)).toBe(204);
    expect(await post(url, body, genuine)).toBe(204);
    expect(await post(url, `${body} `, genuine)).toBe(400);
    expect(await post(url, body, {})).toBe(400);
    for (const name of Object.keys(genuine)) {
      const { [name]: _left, ...others } = genuine;
      expect([name, await post(url, body, others)]).toEqual([name, 400]);
      const changed = { ...genuine, [name]: forged[name] === genuine[name] ? 'x' : (forged[name] ?? '') };
      expect([name, await post(url, body, changed)]).toEqual([name, 400]);
    }
    for (const secondsAgo of [301, 3_600, -302])
      expect(await post(url, body, signed(body, { secondsAgo }))).toBe(400);
    const rotated = {
      ...genuine,
      'x-service-signature': forged['x-service-signature'] ?? '',
      'x-service-signature-previous': genuine['x-service-signature'] ?? '',
      'webhook-signature': `${forged['webhook-signature']} ${genuine['webhook-signature']}`,
    };
    expect(await post(url, body, rotated)).toBe(204);
  } finally {
    receiver.kill();
    await once(receiver, 'close');
  }
  expect(printed.join('')).toBe('appointment.created 5\n');
});
