import { channel } from 'node:diagnostics_channel';
import { type Numbered, numberNames, type TENANT_PARAMETER } from './parameters.ts';

/** No parameters but, in a tenant's statement, the tenant. */
export type NoArgs = Record<never, never>;

/** A named statement of one tenant's rows: `$tenantId` is the tenant, given by the scope that runs it and by nobody else. */
export interface TenantStatement<Row, Args extends object> extends Numbered {
  readonly kind: 'tenant';
  readonly name: string;
  /** Types only. */
  readonly row?: Row;
  readonly args?: Args;
}

/** A named statement across tenants, for workers and projections. */
export interface SystemStatement<Row, Args extends object> extends Numbered {
  readonly kind: 'system';
  readonly name: string;
  readonly row?: Row;
  readonly args?: Args;
}

/** Each statement, as it is declared; of a list, as it is first needed. The check of statements subscribes to it. */
const declarations = channel('frontdesk:statement');

export function declared<Statement extends Numbered>(statement: Statement): Statement {
  if (declarations.hasSubscribers) declarations.publish(statement);
  return statement;
}

/**
 * Declares a statement that a `TenantScope` runs. PostgreSQL parses and plans it once per connection under its name,
 * so names are unique within a service. `Args` are the parameters besides the tenant: the text says `$staffIds::bigint[]` where it
 * takes its `staffIds`, as often as it likes. That the text reaches no other tenant's rows is checked by the tests: they parse every
 * statement.
 * @throws Error for a parameter by its position
 */
export function tenantSql<Row, Args extends object & { [Key in typeof TENANT_PARAMETER]?: never } = NoArgs>(
  name: string,
  text: string,
): TenantStatement<Row, Args> {
  return declared({ kind: 'tenant', name, ...numberNames(name, text) });
}

/** Declares a statement that runs across tenants; all its parameters are the caller's, a `$tenantId` too. */
export function systemSql<Row, Args extends object = NoArgs>(
  name: string,
  text: string,
): SystemStatement<Row, Args> {
  return declared({ kind: 'system', name, ...numberNames(name, text) });
}
