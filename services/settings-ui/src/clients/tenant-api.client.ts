import type { InternalRoute } from '@frontdesk/contracts';
import { type Asked, requestOf, type ServiceClient } from '@frontdesk/service';
import type { By } from '../session/session.rules.ts';

export type TenantApi = ReturnType<typeof createTenantApi>;

/** A request to a route, and on whose behalf it is. */
type AskedBy<Declared extends InternalRoute> = Omit<Asked<Declared>, 'tenantId'> & { by: By };

/** The same as the service's client takes it. */
function withCaller<const Declared extends InternalRoute>(
  declared: Declared,
  { by: { tenantId, membershipId, scopes }, ...asked }: AskedBy<Declared>,
) {
  const caller = { tenantId, scopes, ...(membershipId !== null && { userId: membershipId }) };
  return requestOf(declared, { ...asked, ...caller } as unknown as Asked<Declared>);
}

/** A service's internal API as the admins of one tenant use it. Reads have a page's deadline, changes the client's. */
export function createTenantApi(client: ServiceClient, { readTimeoutMs }: { readTimeoutMs: number }) {
  const reading = <const Declared extends InternalRoute>(declared: Declared, asked: AskedBy<Declared>) => ({
    ...withCaller(declared, asked),
    timeoutMs: readTimeoutMs,
  });

  return {
    get: <const Declared extends InternalRoute>(declared: Declared, asked: AskedBy<Declared>) =>
      client.request(reading(declared, asked)),
    getVersioned: <const Declared extends InternalRoute>(declared: Declared, asked: AskedBy<Declared>) =>
      client.requestVersioned(reading(declared, asked)),
    /** With its ETag; null while it is still what `ifNoneMatch`, an earlier one, stands for. */
    getChanged: <const Declared extends InternalRoute>(declared: Declared, asked: AskedBy<Declared>) =>
      client.requestChanged(reading(declared, asked)),
    getPage: <const Declared extends InternalRoute>(declared: Declared, asked: AskedBy<Declared>) =>
      client.requestPage(reading(declared, asked)),
    /** Where admins change something: without an ETag of what they saw it goes by whatever is there. */
    change: <const Declared extends InternalRoute>(declared: Declared, asked: AskedBy<Declared>) =>
      client.request(withCaller(declared, asked)),
  };
}
