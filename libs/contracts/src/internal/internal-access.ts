import type { Audience, Issuer } from './identity.ts';
import { businessCalendarRoutes, staffCalendarRoutes } from './routes/calendars.ts';
import { callsRoutes } from './routes/calls.ts';
import { crmRoutes } from './routes/crm.ts';
import { gatewayRoutes } from './routes/gateway.ts';
import { type InternalRoutes, lineOf } from './routes/internal-route.ts';
import { schedulingRoutes } from './routes/scheduling.ts';
import { settingsRoutes } from './routes/settings-ui.ts';
import { webhooksRoutes } from './routes/webhooks.ts';

type Access = Readonly<Record<string, readonly Issuer[]>>;

const accessTo = (...groups: readonly InternalRoutes[]): Access =>
  Object.fromEntries(
    groups.flatMap((routes) => Object.values(routes)).map((route) => [lineOf(route), route.callers]),
  );

/**
 * Who may call which route of whose internal port. The service that is called looks here before anything else: a route
 * that has no line is closed to everybody, and an issuer that a line doesn't name gets 403. A HEAD counts as its GET.
 * An issuer stands where its code makes this very call, so that a service that was taken over reaches no more than
 * that; webhooks, which alone talks to strangers, stands nowhere.
 */
export const INTERNAL_ACCESS: Readonly<Record<Audience, Access>> = {
  gateway: accessTo(gatewayRoutes),
  scheduling: accessTo(schedulingRoutes, businessCalendarRoutes, staffCalendarRoutes),
  crm: accessTo(crmRoutes),
  calls: accessTo(callsRoutes),
  webhooks: accessTo(webhooksRoutes),
  'settings-ui': accessTo(settingsRoutes),
};

/**
 * Whether an issuer may make this request to a service.
 * @param route its pattern; undefined where the service has no such route: of that only those learn who may call something else there
 */
export function mayCall(
  issuer: Issuer,
  audience: string,
  method: string,
  route: string | undefined,
): boolean {
  if (!Object.hasOwn(INTERNAL_ACCESS, audience)) return false;
  const access = INTERNAL_ACCESS[audience as Audience];
  if (route === undefined) return Object.values(access).some((issuers) => issuers.includes(issuer));
  const line = `${method === 'HEAD' ? 'GET' : method} ${route}`;
  return Object.hasOwn(access, line) && access[line]?.includes(issuer) === true;
}
