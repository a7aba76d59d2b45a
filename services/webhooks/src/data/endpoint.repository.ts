import type { createdEndpoint, endpointSchema, WebhookEventName } from '@frontdesk/contracts';
import { type Database, tenantSql } from '@frontdesk/database';
import type { z } from 'zod';
import { cancelSql } from './queue.statements.ts';

interface EndpointRow {
  id: number;
  url: string;
  events: string[];
  is_active: boolean;
  created_at: Date;
}

type Endpoint = z.output<typeof endpointSchema>;
export type CreatedEndpoint = z.output<typeof createdEndpoint>;

export interface NewEndpoint {
  url: string;
  events: WebhookEventName[];
  secret: string;
}

const insertEndpoint = tenantSql<EndpointRow, [url: string, events: string[], secret: string]>(
  'endpoints_insert',
  `insert into endpoints (tenant_id, url, events, secret) values ($1, $2, $3, $4)
   returning id, url, events, is_active, created_at`,
);

const listEndpoints = tenantSql<EndpointRow>(
  'endpoints_list',
  `select id, url, events, is_active, created_at from endpoints
   where tenant_id = $1 and deleted_at is null order by id desc`,
);

const markDeleted = tenantSql<{ id: number }, [id: number]>(
  'endpoints_delete',
  `update endpoints set is_active = false, deleted_at = now()
   where tenant_id = $1 and id = $2 and deleted_at is null returning id`,
);

const cancelWaitingOf = tenantSql<never, [endpointId: number]>(
  'deliveries_cancel_of_endpoint',
  cancelSql('q.tenant_id = $1 and q.endpoint_id = $2'),
);

export interface EndpointRepository {
  insert(tenantId: number, endpoint: NewEndpoint): Promise<CreatedEndpoint>;
  /** Newest first; deleted ones are not among them. */
  list(tenantId: number): Promise<Endpoint[]>;
  /** Ends the endpoint and cancels what waits for it; its log stays. False where there is no such endpoint. */
  delete(tenantId: number, id: number): Promise<boolean>;
}

export function createEndpointRepository(database: Database): EndpointRepository {
  return {
    async insert(tenantId, { url, events, secret }) {
      const row = await database.forTenant(tenantId).one(insertEndpoint, url, events, secret);
      return { ...toRecord(row), secret };
    },
    async list(tenantId) {
      return (await database.forTenant(tenantId).many(listEndpoints)).map(toRecord);
    },
    delete(tenantId, id) {
      return database.forTenant(tenantId).transaction(async (tx) => {
        const isDeleted = (await tx.maybeOne(markDeleted, id)) !== null;
        // A delivery that is under way keeps its lease, so that its result still gets into the log.
        if (isDeleted) await tx.run(cancelWaitingOf, id);
        return isDeleted;
      });
    },
  };
}

function toRecord(row: EndpointRow): Endpoint {
  return { ...row, created_at: row.created_at.toISOString() };
}
