import { type Numbered, numberNames } from './parameters.ts';

/** A named statement of one tenant's rows: `$1` is the tenant, given by the scope that runs it and by nobody else. */
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

/**
 * Declares a statement that a `TenantScope` runs. PostgreSQL parses and plans it once per connection under its name,
 * so names are unique within a service. `Args` are a tuple for `$2` and on, up to `$6`; beyond that they are an object, and the
 * text says `$tenantIds::bigint[]` where it takes its `tenantIds`, as often as it likes.
 */
export function tenantSql<Row, Args extends object = []>(
  name: string,
  text: string,
): TenantStatement<Row, Args> {
  if (!text.includes('tenant_id') || !/\$1\b/.test(text)) {
    throw new Error(`Statement ${name} does not restrict tenant_id to $1.`);
  }
  return { kind: 'tenant', name, ...numberNames(name, text, 2) };
}

/** Declares a statement that runs across tenants; `Args` are as for `tenantSql`, with `$1` the first of them. */
export function systemSql<Row, Args extends object = []>(
  name: string,
  text: string,
): SystemStatement<Row, Args> {
  return { kind: 'system', name, ...numberNames(name, text, 1) };
}
