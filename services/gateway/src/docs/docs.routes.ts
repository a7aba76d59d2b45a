import { createGunzip } from 'node:zlib';
import fastifyAccepts from '@fastify/accepts';
import fastifyCompress from '@fastify/compress';
import type { Operation } from '@frontdesk/contracts';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isNotModified } from '../http/entity-tags.rules.ts';
import { ANY_METHOD, pathOf, queryOf, withoutLastSlashes } from '../http/request-target.rules.ts';
import type { AddressOf } from '../limits/failed-attempts.ts';
import { keylessReads } from '../limits/keyless-reads.ts';
import type { RateLimitMetrics } from '../limits/rate-limit-metrics.ts';
import { createConsoleScript } from './console-script.ts';
import { SEARCH } from './layout.ts';
import { CONSOLE_SCRIPT, createSite, type StaticFile } from './site.ts';

const URLS = ['/docs', '/docs.md', '/docs/*', '/openapi.json', '/llms.txt'];
const READING = ['GET', 'HEAD'];
const REVALIDATED = 'public, max-age=300';
const KEPT = 'public, max-age=31536000, immutable';

/** The documentation for integrators, for people and for programs. It holds nothing of any tenant, so it takes no key. */
export async function docsRoutes(
  scope: App,
  options: {
    /** The gateway as integrators reach it. */
    url: string;
    /** The operations of API v1. */
    operations: readonly Operation[];
    addressOf: AddressOf;
    limitMetrics: RateLimitMetrics;
  },
): Promise<void> {
  const { url: gatewayUrl, operations, addressOf, limitMetrics } = options;
  const site = createSite(gatewayUrl, operations);
  const consoleScript = createConsoleScript();
  const config = { takesNoKey: true };

  const find = (request: FastifyRequest, path: string): StaticFile | undefined =>
    (typeWanted(request) === 'text/markdown' && site.markdown.get(path)) || site.files.get(path);

  const missing = (request: FastifyRequest, path: string, reply: FastifyReply) => {
    const wanted = path.endsWith('.md') ? 'text/markdown' : typeWanted(request);
    if (wanted === 'application/json') throw new AppError('not_found', 'Not found.');
    const { type, content, policy } = wanted === 'text/html' ? site.missing.html : site.missing.markdown;
    if (policy !== null) reply.header('content-security-policy', policy);
    return reply.code(404).type(type).send(content);
  };

  /** The address of a page that was requested by another one. */
  const movedTo = (path: string): string | undefined => {
    const shorter = withoutLastSlashes(path);
    return site.moved.get(shorter) ?? (shorter !== path && site.files.has(shorter) ? shorter : undefined);
  };

  await scope.register(fastifyAccepts);
  await scope.register(fastifyCompress, { encodings: ['br', 'gzip'] });
  scope.addHook('onRequest', async (_request, reply) => {
    // A file has its own.
    reply.header('cache-control', 'no-store');
  });
  await scope.register(keylessReads, { addressOf, metrics: limitMetrics });

  scope.get(CONSOLE_SCRIPT, { config, compress: false }, async (request, reply) => {
    const { compressed, etag } = await consoleScript();
    reply.headers({ etag, 'cache-control': REVALIDATED, vary: 'accept-encoding' });
    if (isKnown(request, etag)) return reply.code(304).send();
    reply.type('text/javascript; charset=utf-8');
    if (request.encodings().includes('gzip'))
      return reply.header('content-encoding', 'gzip').send(compressed);
    const unpacked = createGunzip();
    unpacked.end(compressed);
    return reply.send(unpacked);
  });
  scope.get(SEARCH, { config }, async (request, reply) => {
    const question = new URLSearchParams(queryOf(request.url)).get('q') ?? '';
    const { content, type, policy } = site.search(question);
    reply.headers({
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex',
    });
    return reply.type(type).send(content);
  });
  for (const url of URLS) {
    scope.get(url, { config }, async (request, reply) => {
      const path = pathOf(request.url);
      const address = movedTo(path);
      if (address !== undefined) return reply.header('cache-control', REVALIDATED).redirect(address, 301);
      const file = find(request, path);
      return file ? sendFile(request, reply, file) : missing(request, path, reply);
    });
    const others = ANY_METHOD.filter((method) => !READING.includes(method));
    scope.route({
      method: others,
      url,
      config: { ...config, isCatchAll: true },
      preParsing: (_request, _reply, _payload, done) => done(onlyReading()),
      handler: () => {},
    });
  }
}

const typeWanted = (request: FastifyRequest) =>
  request.accepts().type(['text/html', 'text/markdown', 'application/json']);

/** Whether the client has this version already. */
const isKnown = ({ method, headers }: FastifyRequest, etag: string) =>
  isNotModified({ method, ifNoneMatch: headers['if-none-match'] }, { status: 200, etag });

function sendFile(request: FastifyRequest, reply: FastifyReply, file: StaticFile): FastifyReply {
  const { content, type, etag, isForEver, policy } = file;
  reply.headers({ etag, 'cache-control': isForEver ? KEPT : REVALIDATED, vary: 'accept, accept-encoding' });
  if (policy === null) reply.header('access-control-allow-origin', '*');
  else reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'same-origin' });
  if (isKnown(request, etag)) return reply.code(304).send();
  return reply.type(type).send(content);
}

const onlyReading = () =>
  new AppError('method_not_allowed', 'This method is not allowed here.', {
    headers: { allow: READING.join(', ') },
  });
