import type { deliverySchema, PageQuery } from '@frontdesk/contracts';
import { type Database, defineList, tenantSql } from '@frontdesk/database';
import type { z } from 'zod';
import type { AttemptRecord } from '../domain/attempt.ts';

interface DeliveryRow {
  id: number;
  endpoint_id: number;
  event: string;
  body: string;
  status: Delivery['status'];
  http_status: number | null;
  response_body: string | null;
  attempt_count: number;
  next_attempt_at: Date | null;
  delivered_at: Date | null;
  created_at: Date;
}

type Delivery = z.output<typeof deliverySchema>;

/** With the bodies of these deliveries alone: a page reads none of those that it passes over. */
const withBodies = (deliveries: string) => `
  select d.id, d.endpoint_id, d.name as event, v.body, d.status, d.http_status, d.response_body, d.attempt_count,
         d.next_attempt_at, d.delivered_at, d.created_at
  from (${deliveries}) d
  join events v on v.tenant_id = d.tenant_id and v.id = d.event_row
  order by d.id desc`;

const readPage = defineList<DeliveryRow, 'endpoint', 'id'>({
  name: 'deliveries',
  from: 'deliveries',
  columns: '*',
  complete: withBodies,
  filters: { endpoint: 'endpoint_id = ?' },
  sorts: { id: { column: 'id' } },
  defaultSort: '-id',
});

const findDelivery = tenantSql<DeliveryRow, [id: number]>(
  'deliveries_find',
  withBodies('select * from deliveries where tenant_id = $1 and id = $2'),
);

const findAttempts = tenantSql<{ attempts: AttemptRecord[] }, [deliveryId: number]>(
  'attempts_of_delivery',
  'select to_json(attempts) as attempts from deliveries where tenant_id = $1 and id = $2',
);

export interface DeliveryRepository {
  /** The delivery log, newest first, deleted endpoints included. */
  page(
    tenantId: number,
    query: PageQuery & { endpoint_id?: number | undefined },
  ): Promise<{ rows: Delivery[]; total: number }>;
  find(tenantId: number, id: number): Promise<(Delivery & { attempts: AttemptRecord[] }) | null>;
}

export function createDeliveryRepository(database: Database): DeliveryRepository {
  return {
    async page(tenantId, query) {
      const { rows, total } = await readPage(database, tenantId, query, [['endpoint', query.endpoint_id]]);
      return { rows: rows.map(toRecord), total };
    },
    async find(tenantId, id) {
      const scope = database.forTenant(tenantId);
      const row = await scope.maybeOne(findDelivery, id);
      if (!row) return null;
      const { attempts } = await scope.one(findAttempts, id);
      return { ...toRecord(row), attempts };
    },
  };
}

function toRecord({ body, ...row }: DeliveryRow): Delivery {
  return {
    ...row,
    payload: JSON.parse(body) as Delivery['payload'],
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    delivered_at: row.delivered_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
