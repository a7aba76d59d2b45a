import type { ServiceClient } from '@frontdesk/service';
import type { z } from 'zod';

export type TenantApi = ReturnType<typeof createTenantApi>;

interface Sent {
  body?: object;
  /** The ETag of what the admin saw; without it a change goes by whatever is there. */
  ifMatch?: string | undefined;
  /** Of what is created: sent again, it creates nothing more. 1 to 255 visible ASCII characters. */
  idempotencyKey?: string | undefined;
}

/**
 * A service's internal API as the admins of one tenant use it. Paths are those below the tenant's own. Reads have a page's deadline,
 * changes the client's.
 */
export function createTenantApi(client: ServiceClient, { readTimeoutMs }: { readTimeoutMs: number }) {
  const at = (tenantId: number, path: string) => ({ tenantId, path: `/internal/tenants/${tenantId}${path}` });
  const read = { method: 'GET', timeoutMs: readTimeoutMs } as const;
  const change =
    (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE') =>
    <Schema extends z.ZodType>(tenantId: number, path: string, schema: Schema, sent: Sent = {}) =>
      client.request({ method, ...at(tenantId, path), schema, ...sent });

  return {
    get: <Schema extends z.ZodType>(tenantId: number, path: string, schema: Schema) =>
      client.request({ ...read, ...at(tenantId, path), schema }),
    getVersioned: <Schema extends z.ZodType>(tenantId: number, path: string, schema: Schema) =>
      client.requestVersioned({ ...read, ...at(tenantId, path), schema }),
    /** With its ETag; null while it is still what `seen`, an earlier one, stands for. */
    getChanged: <Schema extends z.ZodType>(
      tenantId: number,
      path: string,
      schema: Schema,
      seen: string | undefined,
    ) => client.requestChanged({ ...read, ...at(tenantId, path), schema, ifNoneMatch: seen }),
    getPage: <Schema extends z.ZodType>(tenantId: number, path: string, schema: Schema) =>
      client.requestPage({ ...read, ...at(tenantId, path), schema }),
    /** A read by more than an address can hold. */
    search: <Schema extends z.ZodType>(tenantId: number, path: string, schema: Schema, body: object) =>
      client.request({ ...read, method: 'POST', ...at(tenantId, path), schema, body }),
    post: change('POST'),
    put: change('PUT'),
    patch: change('PATCH'),
    delete: change('DELETE'),
  };
}
