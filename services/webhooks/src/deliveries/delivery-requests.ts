import type { DeliveryDetail, ListDeliveriesQuery } from '@frontdesk/contracts';
import type { Database, TenantTransaction } from '@frontdesk/database';
import { hasScope, type Identity, notFound, ok, page } from '@frontdesk/service';
import { idempotent } from '@frontdesk/wiring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesShownTo, requireEvent } from '../events/event-scopes.ts';
import { feedInLog } from '../feed/feed-cursors.ts';
import type { SettledFeed } from '../feed/settle-feed.ts';
import { findDeliveryWithAttempts, listDeliverySummaries } from './delivery.repository.ts';
import {
  type DeliveryRow,
  deliveryDetailRecord,
  deliverySummaryRecord,
  type LogView,
} from './delivery.rules.ts';

export interface DeliveryDeps {
  database: Database;
  settled: Pick<SettledFeed, 'number'>;
  onQueued: () => void;
}

type OfList = FastifyRequest & { query: ListDeliveriesQuery };
type OfOne = FastifyRequest & { params: { id: number } };
type ListPage<Row> = (
  database: Database,
  tenantId: number,
  query: ListDeliveriesQuery,
  names?: readonly string[],
) => Promise<{ rows: Row[]; total: number }>;

interface Sending<Shown> {
  /** Queues something. */
  work: (tx: TenantTransaction, id: number, by: Identity) => Promise<DeliveryRow>;
  show: (row: DeliveryRow, view: LogView) => Shown;
}

/** What requests do with deliveries, whichever port they come by. */
export function deliveryRequests({ database, settled, onQueued }: DeliveryDeps) {
  const viewOf = async ({ tenantId, identity }: FastifyRequest): Promise<LogView> => ({
    feed: await feedInLog({ database, settled }, tenantId),
    seesTranscripts: hasScope(identity, 'calls:transcripts'),
  });

  const pageOf = async <Row>(list: ListPage<Row>, { tenantId, query, identity }: OfList) => {
    const names = namesShownTo(identity, query.event);
    const { rows, ...meta } = await list(database, tenantId, query, names);
    return { rows, meta: { ...query, ...meta } };
  };

  return {
    viewOf,
    pageOf,

    async summaries(request: OfList) {
      const { rows, meta } = await pageOf(listDeliverySummaries, request);
      const { feed } = await viewOf(request);
      return page(
        rows.map((row) => deliverySummaryRecord(row, feed)),
        meta,
      );
    },

    async detail(request: OfOne): Promise<DeliveryDetail> {
      const { tenantId, params, identity } = request;
      const row = await findDeliveryWithAttempts(database.forTenant(tenantId), params.id);
      if (row === null) throw notFound('Delivery');
      requireEvent(identity, row.name);
      return deliveryDetailRecord(row, await viewOf(request));
    },

    /** Once for an `Idempotency-Key`. */
    async send<Shown extends object>(request: OfOne, reply: FastifyReply, { work, show }: Sending<Shown>) {
      const { tenantId, params, identity } = request;
      const scope = database.forTenant(tenantId);
      // Before the transaction, which nothing could settle beside.
      const view = await viewOf(request);
      return idempotent<ReturnType<typeof ok<Shown>>>({ request, reply, scope }, async (transaction) => {
        const answer = await transaction(async (tx) => ({
          status: 202,
          body: ok(show(await work(tx, params.id, identity), view)),
        }));
        onQueued();
        return answer;
      });
    },
  };
}
