import type { IncomingMessage } from 'node:http';
import { MAX_INGEST_BYTES } from '@frontdesk/contracts';
import type { Metrics } from '@frontdesk/service';
import { Gauge } from 'prom-client';
import { sourceTokenIn } from '../domain/ingest-address.ts';
import { createMemoryBudget } from '../domain/memory-budget.ts';
import { tooMany } from './failed-attempts.ts';
import { type BodyReader, createBodyReader } from './request-body.ts';
import { callerOf, type RequestContext } from './request-context.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
/** What request bodies take of memory. No tenant's uploads, however slow, leave others without room. */
const API_MEMORY = { totalBytes: 64 * MEBIBYTE, holderBytes: 16 * MEBIBYTE };
/** Most messages are no larger; these have room of their own. */
const SMALL_BYTES = 256 * KIBIBYTE;
const FOR_SMALL_ONES = { bytes: 8 * MEBIBYTE, upToBytes: SMALL_BYTES };
/**
 * Messages have memory apart from tenants' requests, and those to sources that are known apart from the rest, which
 * anyone may begin to send. All customers of a provider share its few addresses: a known source has its own part instead.
 */
const KNOWN_MEMORY = { totalBytes: 32 * MEBIBYTE, holderBytes: 16 * MEBIBYTE, reserve: FOR_SMALL_ONES };
const UNKNOWN_MEMORY = { totalBytes: 32 * MEBIBYTE, holderBytes: 8 * MEBIBYTE, reserve: FOR_SMALL_ONES };
/** What has to come of a message in each `INGEST_PACE_MS`. */
const PACE_BYTES = 160 * KIBIBYTE;

/** What is known of a message before it is read: `suspect` is one to a source unknown, after many such failures. */
export type MessageReaders = Record<'known' | 'unknown' | 'suspect', BodyReader>;

/** Readers of API v1's bodies and of providers' messages, which are held against their source or their address. */
export function createBodyReaders(options: {
  metrics: Metrics;
  addressOf: (request: IncomingMessage) => string;
  paceMs: number;
}): { readBody: BodyReader; readMessage: MessageReaders } {
  const { metrics, addressOf, paceMs } = options;
  const budgets = {
    api: createMemoryBudget(API_MEMORY),
    known: createMemoryBudget(KNOWN_MEMORY),
    unknown: createMemoryBudget(UNKNOWN_MEMORY),
  };
  new Gauge({
    name: 'gateway_request_body_bytes',
    help: 'Memory that bodies of requests under way hold.',
    registers: [metrics.registry],
    collect() {
      this.set(Object.values(budgets).reduce((sum, budget) => sum + budget.held(), 0));
    },
  });
  const message = { maxBytes: MAX_INGEST_BYTES, pace: { bytes: PACE_BYTES, everyMs: paceMs } };
  const unknown = {
    ...message,
    budget: budgets.unknown,
    holderOf: ({ request }: RequestContext) => addressOf(request),
  };
  return {
    readBody: createBodyReader({
      budget: budgets.api,
      maxBytes: MEBIBYTE,
      holderOf: (context) => callerOf(context).tenantId,
    }),
    readMessage: {
      known: createBodyReader({ ...message, budget: budgets.known, holderOf: sourceOf }),
      unknown: createBodyReader(unknown),
      suspect: createBodyReader({
        ...unknown,
        maxBytes: SMALL_BYTES,
        discardBytes: SMALL_BYTES,
        tooLarge: () => tooMany('Too many failed attempts.', 60),
      }),
    },
  };
}

const sourceOf = ({ routePath }: RequestContext) => sourceTokenIn(routePath);
