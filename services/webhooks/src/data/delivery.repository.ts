import type { deliverySchema, PageQuery } from '@frontdesk/contracts';
import { type Database, tenantSql } from '@frontdesk/database';
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

interface AttemptRow extends Omit<AttemptRecord, 'started_at'> {
  started_at: Date;
}

type Delivery = z.output<typeof deliverySchema>;

/** The rows first and then their bodies: a page reads no body that it doesn't show. */
const selectLog = (condition: string, rest = '') => `
  select d.id, d.endpoint_id, d.name as event, v.body, d.status, d.http_status, d.response_body, d.attempt_count,
         d.next_attempt_at, d.delivered_at, d.created_at
  from (select * from deliveries where tenant_id = $1 ${condition} ${rest}) d
  join events v on v.tenant_id = d.tenant_id and v.event_id = d.event_id and v.name = d.name
  order by d.id desc`;

const NEWEST = 'order by id desc limit $2 offset $3';

const pageOfAll = tenantSql<DeliveryRow, [limit: number, offset: number]>(
  'deliveries_page',
  selectLog('', NEWEST),
);

const pageOfEndpoint = tenantSql<DeliveryRow, [limit: number, offset: number, endpointId: number]>(
  'deliveries_page_of_endpoint',
  selectLog('and endpoint_id = $4', NEWEST),
);

const findDelivery = tenantSql<DeliveryRow, [id: number]>('deliveries_find', selectLog('and id = $2'));

const countAll = tenantSql<{ total: number }>(
  'deliveries_count',
  'select count(*) as total from deliveries where tenant_id = $1',
);

const countOfEndpoint = tenantSql<{ total: number }, [endpointId: number]>(
  'deliveries_count_of_endpoint',
  'select count(*) as total from deliveries where tenant_id = $1 and endpoint_id = $2',
);

const listAttempts = tenantSql<AttemptRow, [deliveryId: number]>(
  'attempts_of_delivery',
  `select attempt, started_at, duration_ms, http_status, error_class, response_body from attempts
   where tenant_id = $1 and delivery_id = $2 order by attempt`,
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
    async page(tenantId, { page, per_page, endpoint_id }) {
      const scope = database.forTenant(tenantId);
      const window = [per_page, (page - 1) * per_page] as const;
      const [rows, { total }] = await (endpoint_id === undefined
        ? Promise.all([scope.many(pageOfAll, ...window), scope.one(countAll)])
        : Promise.all([
            scope.many(pageOfEndpoint, ...window, endpoint_id),
            scope.one(countOfEndpoint, endpoint_id),
          ]));
      return { rows: rows.map(toRecord), total };
    },
    async find(tenantId, id) {
      const scope = database.forTenant(tenantId);
      const row = await scope.maybeOne(findDelivery, id);
      if (!row) return null;
      const attempts = await scope.many(listAttempts, id);
      return {
        ...toRecord(row),
        attempts: attempts.map((attempt) => ({ ...attempt, started_at: attempt.started_at.toISOString() })),
      };
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
