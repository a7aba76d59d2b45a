import { dataOf, pageOf, removedRecord } from '../../errors/envelope.ts';
import {
  apiKeySchema,
  createdApiKey,
  createKeyBody,
  expiringKey,
  expiringKeysQuery,
  findKeyBody,
  foundKey,
  keyUse,
  rollKeyBody,
  updateKeyBody,
} from '../../resources/api-keys.ts';
import { requestStatistics } from '../../resources/statistics.ts';
import {
  createTenantBody,
  listTenantsQuery,
  tenantSchema,
  tenantView,
  updateTenantBody,
  updateTenantProfileBody,
} from '../../resources/tenants.ts';
import { usageSchema } from '../../resources/usage.ts';
import { engineStatus } from '../system-status.ts';
import { type InternalRoutes, OPERATOR, PAGES, PAGES_AND_OPERATOR, TENANT } from './internal-route.ts';
import { operatedRoutes, quotaRoutes } from './shared.ts';

const KEYS = `${TENANT}/keys` as const;
const keys = { callers: PAGES_AND_OPERATOR, scope: 'settings:keys', record: 'API key' } as const;

export const gatewayRoutes = {
  createTenant: {
    method: 'POST',
    path: '/internal/tenants',
    callers: OPERATOR,
    body: createTenantBody,
    status: 201,
    answer: dataOf(tenantSchema),
  },
  listTenants: {
    method: 'GET',
    path: '/internal/tenants',
    callers: OPERATOR,
    query: listTenantsQuery,
    answer: pageOf(tenantSchema),
  },
  getTenant: {
    scope: null,
    method: 'GET',
    path: TENANT,
    callers: ['scheduling', 'crm', 'calls', ...PAGES_AND_OPERATOR],
    answer: dataOf(tenantView),
  },
  updateTenant: {
    method: 'PATCH',
    path: TENANT,
    callers: OPERATOR,
    body: updateTenantBody,
    answer: dataOf(tenantSchema),
  },
  updateProfile: {
    scope: 'settings:business',
    method: 'PATCH',
    path: `${TENANT}/profile`,
    callers: PAGES,
    body: updateTenantProfileBody,
    answer: dataOf(tenantView),
  },
  listKeys: { ...keys, method: 'GET', path: KEYS, answer: dataOf(apiKeySchema.array()) },
  createKey: {
    ...keys,
    method: 'POST',
    path: KEYS,
    body: createKeyBody,
    status: 201,
    answer: dataOf(createdApiKey),
  },
  getKey: { ...keys, method: 'GET', path: `${KEYS}/{id}`, callers: PAGES, answer: dataOf(apiKeySchema) },
  updateKey: {
    ...keys,
    method: 'PATCH',
    path: `${KEYS}/{id}`,
    body: updateKeyBody,
    answer: dataOf(apiKeySchema),
  },
  /** A new key takes its place, and shows itself this once; the one before lives on for some hours. */
  rollKey: {
    ...keys,
    method: 'POST',
    path: `${KEYS}/{id}/roll`,
    body: rollKeyBody,
    status: 201,
    answer: dataOf(createdApiKey),
  },
  getKeyUse: { ...keys, method: 'GET', path: `${KEYS}/{id}/use`, callers: PAGES, answer: dataOf(keyUse) },
  /** Of all businesses that may change something, by id. */
  listExpiringKeys: {
    method: 'GET',
    path: '/internal/keys/expiring',
    callers: PAGES,
    query: expiringKeysQuery,
    answer: dataOf(expiringKey.array()),
  },
  /** Whose a key is that was found where it should not be. */
  findKey: {
    method: 'POST',
    path: '/internal/keys/find',
    callers: OPERATOR,
    body: findKeyBody,
    answer: dataOf(foundKey),
  },
  /** As `revokeKey`, and the business is told why. */
  revokeLeakedKey: {
    ...keys,
    method: 'POST',
    path: `${KEYS}/{id}/leaked`,
    callers: OPERATOR,
    answer: dataOf(apiKeySchema),
  },
  revokeKey: { ...keys, method: 'POST', path: `${KEYS}/{id}/revoke`, answer: dataOf(apiKeySchema) },
  deleteKey: { ...keys, method: 'DELETE', path: `${KEYS}/{id}`, answer: dataOf(removedRecord) },
  getUsage: {
    scope: null,
    method: 'GET',
    path: `${TENANT}/usage`,
    callers: PAGES,
    answer: dataOf(usageSchema),
  },
  getRequestStatistics: {
    scope: null,
    method: 'GET',
    path: `${TENANT}/statistics/requests`,
    callers: PAGES,
    answer: dataOf(requestStatistics),
  },
  listEngines: {
    method: 'GET',
    path: '/internal/engines',
    callers: OPERATOR,
    answer: dataOf(engineStatus.array()),
  },
  ...quotaRoutes,
  ...operatedRoutes,
} as const satisfies InternalRoutes;
