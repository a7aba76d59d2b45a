import type { InternalRoute } from '@frontdesk/contracts';
import { type Asked, requestOf, type ServiceClient } from '@frontdesk/service';

export type TenantApi = ReturnType<typeof createTenantApi>;

/** A service's internal API as the admins of one tenant use it. Reads have a page's deadline, changes the client's. */
export function createTenantApi(client: ServiceClient, { readTimeoutMs }: { readTimeoutMs: number }) {
  const reading = <const Declared extends InternalRoute>(declared: Declared, asked: Asked<Declared>) => ({
    ...requestOf(declared, asked),
    timeoutMs: readTimeoutMs,
  });

  return {
    get: <const Declared extends InternalRoute>(declared: Declared, asked: Asked<Declared>) =>
      client.request(reading(declared, asked)),
    getVersioned: <const Declared extends InternalRoute>(declared: Declared, asked: Asked<Declared>) =>
      client.requestVersioned(reading(declared, asked)),
    /** With its ETag; null while it is still what `ifNoneMatch`, an earlier one, stands for. */
    getChanged: <const Declared extends InternalRoute>(declared: Declared, asked: Asked<Declared>) =>
      client.requestChanged(reading(declared, asked)),
    getPage: <const Declared extends InternalRoute>(declared: Declared, asked: Asked<Declared>) =>
      client.requestPage(reading(declared, asked)),
    /** Where admins change something: without an ETag of what they saw it goes by whatever is there. */
    change: <const Declared extends InternalRoute>(declared: Declared, asked: Asked<Declared>) =>
      client.request(requestOf(declared, asked)),
  };
}
