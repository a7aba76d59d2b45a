import { MAX_INGEST_BYTES } from '@frontdesk/contracts';
import type { Metrics } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import { Gauge } from 'prom-client';
import { createMemoryBudget } from '../domain/memory-budget.ts';
import { type BodyReader, createBodyReader } from './request-body.ts';

const MEBIBYTE = 1024 * 1024;
/** What request bodies take of memory. No tenant's uploads, however slow, leave others without room. */
const API_MEMORY = { totalBytes: 64 * MEBIBYTE, holderBytes: 16 * MEBIBYTE };
/** Apart from it, since anyone may begin to send a message: then others of them wait, but no tenant. */
const MESSAGE_MEMORY = { totalBytes: 64 * MEBIBYTE, holderBytes: 32 * MEBIBYTE };

/** Readers of API v1's bodies, and of providers' messages, which are held against the address they come from. */
export function createBodyReaders(options: {
  metrics: Metrics;
  addressOf: (request: FastifyRequest) => string;
}): { readBody: BodyReader; readMessage: BodyReader } {
  const { metrics, addressOf } = options;
  const budgets = { api: createMemoryBudget(API_MEMORY), messages: createMemoryBudget(MESSAGE_MEMORY) };
  new Gauge({
    name: 'gateway_request_body_bytes',
    help: 'Memory that bodies of requests under way hold.',
    registers: [metrics.registry],
    collect() {
      this.set(budgets.api.held() + budgets.messages.held());
    },
  });
  return {
    readBody: createBodyReader({
      budget: budgets.api,
      maxBytes: MEBIBYTE,
      holderOf: ({ tenantId }) => tenantId,
    }),
    readMessage: createBodyReader({
      budget: budgets.messages,
      maxBytes: MAX_INGEST_BYTES,
      holderOf: addressOf,
    }),
  };
}
