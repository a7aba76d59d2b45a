/** A named statement of one tenant's rows: `$1` is the tenant, given by the scope that runs it and by nobody else. */
export interface TenantStatement<Row, Args extends unknown[]> {
  readonly kind: 'tenant';
  readonly name: string;
  readonly text: string;
  /** Types only. */
  readonly row?: Row;
  readonly args?: Args;
}

/** A named statement across tenants, for workers and projections. */
export interface SystemStatement<Row, Args extends unknown[]> {
  readonly kind: 'system';
  readonly name: string;
  readonly text: string;
  readonly row?: Row;
  readonly args?: Args;
}

/**
 * Declares a statement that a `TenantScope` runs. PostgreSQL parses and plans it once per connection under its name,
 * so names are unique within a service. `Args` are `$2` and on.
 */
export function tenantSql<Row, Args extends unknown[] = []>(
  name: string,
  text: string,
): TenantStatement<Row, Args> {
  if (!text.includes('tenant_id') || !/\$1\b/.test(text)) {
    throw new Error(`Statement ${name} does not restrict tenant_id to $1.`);
  }
  return { kind: 'tenant', name, text };
}

/** Declares a statement that runs across tenants; `Args` are `$1` and on. */
export function systemSql<Row, Args extends unknown[] = []>(
  name: string,
  text: string,
): SystemStatement<Row, Args> {
  return { kind: 'system', name, text };
}
