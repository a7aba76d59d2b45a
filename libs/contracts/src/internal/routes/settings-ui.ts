import { dataOf, pageOf, removedRecord } from '../../errors/envelope.ts';
import {
  adminUserSchema,
  changeRoleBody,
  createAdminBody,
  resetLinkBody,
  resetLinkSchema,
  setPasswordBody,
} from '../../resources/admins.ts';
import { emailSummary, emailsQuery, emailWithText } from '../emails.ts';
import { type InternalRoutes, OPERATOR, TENANT } from './internal-route.ts';
import { quotaRoutes } from './shared.ts';

const ADMINS = `${TENANT}/admins` as const;
const EMAILS = '/internal/emails';

/** Who signs in to a business's settings, and the emails to them; what it counts of quotas, it shows on its own pages. */
export const settingsRoutes = {
  listAdmins: { method: 'GET', path: ADMINS, callers: OPERATOR, answer: dataOf(adminUserSchema.array()) },
  createAdmin: {
    method: 'POST',
    path: ADMINS,
    callers: OPERATOR,
    body: createAdminBody,
    status: 201,
    answer: dataOf(adminUserSchema),
  },
  removeAdmin: {
    method: 'DELETE',
    path: `${ADMINS}/{id}`,
    callers: OPERATOR,
    answer: dataOf(removedRecord),
    record: 'Admin',
  },
  setRole: {
    method: 'PUT',
    path: `${ADMINS}/{id}/role`,
    callers: OPERATOR,
    body: changeRoleBody,
    answer: dataOf(adminUserSchema),
    record: 'Admin',
  },
  setPassword: {
    method: 'PUT',
    path: `${ADMINS}/password`,
    callers: OPERATOR,
    body: setPasswordBody,
    answer: dataOf(adminUserSchema),
  },
  createResetLink: {
    method: 'POST',
    path: `${ADMINS}/reset-link`,
    callers: OPERATOR,
    body: resetLinkBody,
    status: 201,
    answer: dataOf(resetLinkSchema),
  },
  listEmails: {
    method: 'GET',
    path: EMAILS,
    callers: OPERATOR,
    query: emailsQuery,
    answer: pageOf(emailSummary),
  },
  getEmail: {
    method: 'GET',
    path: `${EMAILS}/{id}`,
    callers: OPERATOR,
    answer: dataOf(emailWithText),
    record: 'Email',
  },
  ...quotaRoutes,
  getQuotaUsage: { ...quotaRoutes.getQuotaUsage, callers: OPERATOR },
} as const satisfies InternalRoutes;
