import httpProxy from '@fastify/http-proxy';
import Fastify from 'fastify';
import { listenBare } from '../support/bare-process.ts';

/** The unit of the gateway's benchmark: Fastify and its proxy plugin as they come. No key, no limit, no log. */
const app = Fastify();
await app.register(httpProxy, {
  upstream: process.env.UPSTREAM_URL ?? '',
  prefix: '/api/v1',
  rewritePrefix: '/api/v1',
  undici: { connections: 128 },
});
await app.ready();
await listenBare(app.server);
