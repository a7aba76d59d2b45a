import { dataOf, pageOf, removedRecord } from '../../errors/envelope.ts';
import { apiKeySchema, createdApiKey, createKeyBody } from '../../resources/api-keys.ts';
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
const keys = { callers: PAGES_AND_OPERATOR, record: 'API key' } as const;

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
  revokeKey: { ...keys, method: 'POST', path: `${KEYS}/{id}/revoke`, answer: dataOf(apiKeySchema) },
  deleteKey: { ...keys, method: 'DELETE', path: `${KEYS}/{id}`, answer: dataOf(removedRecord) },
  getUsage: { method: 'GET', path: `${TENANT}/usage`, callers: PAGES, answer: dataOf(usageSchema) },
  getRequestStatistics: {
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
