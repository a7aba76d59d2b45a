import type { ListAppointments } from '@frontdesk/contracts';
import { tenantSql } from '@frontdesk/database';
import type { AppointmentRow } from '../domain/appointment.ts';
import { APPOINTMENT_COLUMNS, APPOINTMENTS_COUNTER } from './appointment.repository.ts';
import type { TenantReads } from './tenant-reads.ts';

const FILTERS = {
  status: 'status',
  date: 'local_date',
  staff_id: 'resource_id',
} as const;

type Filter = keyof typeof FILTERS;

const NAMES = Object.keys(FILTERS) as Filter[];

/** Each set of filters has statements of its own, so that each is planned for the index that serves it. */
function statementsFor(filters: readonly Filter[]) {
  const name = ['appointment', ...filters].join('_');
  const conditions = filters.map((filter, index) => `and ${FILTERS[filter]} = $${index + 2}`).join(' ');
  const next = filters.length + 2;
  return {
    list: tenantSql<AppointmentRow, unknown[]>(
      `${name}_list`,
      `select ${APPOINTMENT_COLUMNS} from appointments where tenant_id = $1 ${conditions}
       order by starts_at desc, id limit $${next} offset $${next + 1}`,
    ),
    count: tenantSql<{ total: number }, unknown[]>(
      `${name}_count`,
      `select count(*) as total from appointments where tenant_id = $1 ${conditions}`,
    ),
  };
}

const SUBSETS = Array.from({ length: 2 ** NAMES.length }, (_, bits) =>
  NAMES.filter((_name, index) => bits & (1 << index)),
);
const STATEMENTS = new Map(SUBSETS.map((filters) => [filters.join(), statementsFor(filters)]));

/** One page by start descending, then id, and the number of all that the filters let through. */
export async function listAppointments(
  db: TenantReads,
  query: ListAppointments,
): Promise<{ rows: AppointmentRow[]; total: number }> {
  const filters = NAMES.filter((name) => query[name] !== undefined);
  const values = filters.map((name) => query[name]);
  const { list, count } = STATEMENTS.get(filters.join()) as ReturnType<typeof statementsFor>;
  const [rows, total] = await Promise.all([
    db.many(list, ...values, query.per_page, (query.page - 1) * query.per_page),
    filters.length === 0
      ? db.total(APPOINTMENTS_COUNTER)
      : db.one(count, ...values).then((counted) => counted.total),
  ]);
  return { rows, total };
}
