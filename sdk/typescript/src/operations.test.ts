import { openApiDocument } from '@frontdesk/contracts';
import { startReceiver } from '../../../tests/support/receiver.ts';
import manifest from '../package.json' with { type: 'json' };
import { Frontdesk, VERSION } from './index.ts';

it('every operation of the API has a method, and every method an operation', async () => {
  const server = await startReceiver();
  server.respondWith(() => ({ status: 200, body: JSON.stringify({ success: true, data: [] }) }));
  const frontdesk = new Frontdesk({ apiKey: 'fd_live_key', baseUrl: server.url });
  for (const resource of Object.values(frontdesk)) {
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(resource))) {
      if (name !== 'constructor')
        await resource[name](...(name === 'list' || name === 'create' || name === 'slots' ? [{}] : [1, {}]));
    }
  }
  await server.close();

  const called = server.requests.map(({ method, path }) => `${method} ${path.replace('/1', '/{id}')}`);
  const { paths } = openApiDocument();
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(called.toSorted()).toEqual(described.toSorted());
});

it('the client says its own version', () => {
  expect(VERSION).toBe(manifest.version);
});
