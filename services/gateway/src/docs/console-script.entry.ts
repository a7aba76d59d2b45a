import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import fastify, { type FastifyPluginCallback } from 'fastify';

/** The plugin's own types need those of browsers and of packages that it does not install: they can't be checked. */
type Scalar = FastifyPluginCallback<{ routePrefix: string; configuration: { url: string } }>;

/** The plugin keeps its script as text, twice as large as the file: in this thread only, until the compressed form is handed over. */
const { default: scalar } = (await import(import.meta.resolve('@scalar/fastify-api-reference'))) as {
  default: Scalar;
};
const app = fastify();
await app.register(scalar, { routePrefix: '/console', configuration: { url: '/openapi.json' } });
const { rawPayload } = await app.inject('/console/js/scalar.js');
const compressed = new Uint8Array(gzipSync(rawPayload, { level: 9 }));
parentPort?.postMessage(compressed, [compressed.buffer]);
