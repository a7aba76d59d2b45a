import { spawn } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { callSourceSettings } from '@frontdesk/contracts';
import { PROVIDERS } from '../../services/calls/src/providers/providers.rules.ts';

const SCRIPT = join(import.meta.dirname, '../calls-replay.ts');
const SECRET = 'whsec_c2VzYW1lLXNlc2FtZQ==';

/** A source: answers 202 to what is signed by the secret, 401 otherwise. */
const received: { headers: IncomingHttpHeaders; body: string }[] = [];
const source = createServer((request, response) => {
  void text(request).then((body) => {
    received.push({ headers: request.headers, body });
    const message = {
      body: Buffer.from(body),
      contentType: request.headers['content-type'] ?? '',
      contentEncoding: '',
      headers: request.headers as Record<string, string>,
      url: `${base}${request.url}`,
      receivedAt: new Date(),
    };
    const settings = callSourceSettings.parse({});
    const isAccepted = PROVIDERS.generic.verify(message, SECRET, settings, new Date());
    response.writeHead(isAccepted ? 202 : 401).end('{"success":true}');
  });
});
let base = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => source.close(resolve)));

async function replay(...args: string[]) {
  const child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  return { output, errors, code };
}

describe('calls:replay', () => {
  it('sends a signed sample of now and prints the answer', async () => {
    const begun = Date.now();
    const { output, code } = await replay('generic/booked', base, '--secret', SECRET, '--call-id', 'mine');
    expect(output).toBe('call mine\n202 {"success":true}\n');
    expect(code).toBe(0);
    const endedAt = Date.parse(JSON.parse(received.at(-1)?.body ?? '{}').ended_at);
    expect(endedAt).toBeGreaterThanOrEqual(begun);
    expect(endedAt).toBeLessThanOrEqual(Date.now());
  });

  it('leaves the sample’s own times where it is told to', async () => {
    await replay('generic/booked', base, '--secret', SECRET, '--no-now');
    expect(received.at(-1)?.body).toContain('2026-03-02T09:14:05-05:00');
  });

  it('fails when the message is refused or nobody answers', async () => {
    expect(await replay('generic/booked', base, '--secret', 'whsec_b3RoZXI=')).toMatchObject({ code: 1 });
    expect(await replay('generic/booked', 'http://127.0.0.1:9/', '--secret', SECRET)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it.each([
    [['generic/booked'], 2],
    [['nope', 'http://127.0.0.1:9/', '--secret', SECRET], 1],
    [['--nope'], 2],
  ])('refuses %j', async (args, expected) => {
    const { code, errors } = await replay(...args);
    expect(code).toBe(expected);
    expect(errors).toMatch(/^error: /);
  });

  it('names the samples', async () => {
    const { output, code } = await replay('--list');
    expect(output).toContain('retell/call-analyzed\n');
    expect(code).toBe(0);
  });
});
