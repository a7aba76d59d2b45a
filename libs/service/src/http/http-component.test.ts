import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createMetrics } from '../metrics/metrics.ts';
import { createLogger } from '../run/logging.ts';
import { createApp } from './app.ts';
import { httpComponent } from './http-component.ts';

async function listen(finishTimeoutMs: number) {
  const app = createApp({
    logger: createLogger({ name: 'test', level: 'silent' }),
    metrics: createMetrics(),
  });
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  app.get('/slow', async () => {
    entered.resolve();
    await release.promise;
    return { done: true };
  });
  app.post('/things', async () => ({ done: true }));
  const part = httpComponent({ name: 'api', app, host: '127.0.0.1', port: 0, finishTimeoutMs });
  await part.start?.();
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const arrived = once(app.server, 'request');
  return { part, socket, arrived, entered: entered.promise, release: release.resolve };
}

describe('a port that stops', () => {
  it('finishes the request in flight, also on a connection that would be kept alive', async () => {
    const { part, socket, entered, release } = await listen(60_000);
    socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    await entered;
    const stopped = part.stop?.();
    release();
    expect(await text(socket)).toContain('{"done":true}');
    await stopped;
  });

  it('does not wait for a client that never finishes sending', async () => {
    const { part, socket, arrived } = await listen(100);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    socket.write(
      'POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    await arrived;
    await part.stop?.();
    await closed;
    expect(socket.destroyed).toBe(true);
  });
});
