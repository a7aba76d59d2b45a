import { operations, pathTo } from '@frontdesk/contracts';
import type { Database, QuotaGate } from '@frontdesk/database';
import {
  type App,
  AppError,
  clientGone,
  etagOf,
  matching,
  notFound,
  ok,
  route,
  versioned,
} from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { idempotent } from '@frontdesk/wiring';
import type { FastifyReply } from 'fastify';
import { appointmentRecord } from '../appointments/appointment.rules.ts';
import { actorOf } from '../appointments/appointment-history.rules.ts';
import { quotaLeftOf, withCustomerOfCrm } from '../appointments/book-appointment.ts';
import type { CustomerLookup } from '../customers/crm.client.ts';
import { created } from '../services/named-records.ts';
import { bookHold } from './book-hold.ts';
import { findHold, lockHold, releaseHold } from './hold.repository.ts';
import { type HoldRow, holderOf, holdRecord, shownOf } from './hold.rules.ts';
import { placeHold } from './place-hold.ts';

// It ends without a new version.
const show = (reply: FastifyReply, row: HoldRow) =>
  versioned(reply, row.version, holdRecord(row), shownOf(row));

/** Times that integrators keep free for somebody who is about to book. */
export function holdRoutes(
  app: App,
  deps: { database: Database; tenants: TenantDirectory; customers: CustomerLookup; gate: QuotaGate },
): void {
  const { database, tenants, customers, gate } = deps;

  route(app, operations.createHold, async (request, reply) => {
    const scope = database.forTenant(request.tenantId);
    const search = { scope, signal: clientGone(reply) };
    const holder = holderOf(request.identity);
    return idempotent({ request, reply, scope }, async (transaction) => {
      const tenant = await tenants.find(request.tenantId);
      return transaction(async (tx) => {
        const row = await placeHold(tx, request.body, { tenant, search, holder });
        return created(
          pathTo(operations.getHold, { id: row.id }),
          row.version,
          holdRecord(row),
          shownOf(row),
        );
      });
    });
  });

  route(app, operations.getHold, async ({ tenantId, params }, reply) => {
    const row = await findHold(database.forTenant(tenantId), params.id);
    if (row === null) throw notFound('Hold');
    return show(reply, row);
  });

  route(app, operations.releaseHold, async (request, reply) => {
    const { id } = request.params;
    const requireVersion = matching(request);
    const row = await database.forTenant(request.tenantId).transaction(async (tx) => {
      const hold = await lockHold(tx, id);
      if (hold === null) throw notFound('Hold');
      requireVersion(hold.version, shownOf(hold));
      if (hold.customer_id !== null)
        throw new AppError('hold_booked', 'The hold is already booked. Cancel the appointment instead.');
      return hold.is_open ? releaseHold(tx, id) : hold;
    });
    return show(reply, row);
  });

  route(app, operations.bookHold, async (request, reply) => {
    const { tenantId, params, body } = request;
    const scope = database.forTenant(tenantId);
    const search = { scope, signal: clientGone(reply) };
    const by = actorOf(request.identity);
    return idempotent({ request, reply, scope }, async (transaction) => {
      const quotaLeft = await quotaLeftOf(scope, await tenants.find(tenantId), gate);
      const book = (inCrm?: number | null) =>
        transaction(async (tx) => {
          const { row, wasBooked } = await bookHold(tx, params.id, body, { quotaLeft, search, by, inCrm });
          const at = pathTo(operations.getAppointment, { id: row.id });
          const record = appointmentRecord(row);
          if (wasBooked) return { status: 200, body: ok(record), headers: { etag: etagOf(row.version) } };
          return created(at, row.version, record);
        });
      return withCustomerOfCrm(book, { scope, lookup: customers, customerId: body.customer_id });
    });
  });
}
