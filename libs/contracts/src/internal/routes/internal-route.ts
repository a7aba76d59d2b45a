import { patternOf, type Route } from '../../operations/route.ts';
import type { Issuer } from '../identity.ts';

/** A route of a service's internal port, and who may call it: an issuer whose code makes this very call. */
export interface InternalRoute extends Route {
  path: `/internal/${string}`;
  callers: readonly Issuer[];
}

export type InternalRoutes = Readonly<Record<string, InternalRoute>>;

/** A route in one line, by which the service that is called knows it. */
export const lineOf = (route: Pick<Route, 'method' | 'path'>): string =>
  `${route.method} ${patternOf(route)}`;

export const TENANT = '/internal/tenants/{tenant_id}';

export const OPERATOR = ['operator'] as const;
/** What a business's own admins do on the pages. */
export const PAGES = ['settings-ui'] as const;
/** Of that, what the operator's command line does for them too. */
export const PAGES_AND_OPERATOR = ['settings-ui', 'operator'] as const;
