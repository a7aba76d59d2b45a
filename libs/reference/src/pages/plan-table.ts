import {
  PLAN_LIMITS,
  PLAN_QUOTAS,
  type Plan,
  QUOTA_NAMES,
  QUOTA_NOUNS,
  type QuotaName,
} from '@frontdesk/contracts';
import { capitalised, table } from '../rendering/markdown.ts';

const PLANS = Object.keys(PLAN_LIMITS) as Plan[];
const number = new Intl.NumberFormat('en-GB');
const GIGABYTE = 1_000_000_000;
const IN_BYTES = new Set<QuotaName>(['call_bytes_per_day', 'stored_bytes']);

/** What each plan allows: requests, then the quotas. */
export const planTable = (): string =>
  table(
    ['', ...PLANS],
    [
      ['Requests per minute', ...PLANS.map((plan) => number.format(PLAN_LIMITS[plan].perMinute))],
      ['Requests per UTC day', ...PLANS.map((plan) => number.format(PLAN_LIMITS[plan].perDay))],
      ...QUOTA_NAMES.map((name) => [
        capitalised(QUOTA_NOUNS[name]),
        ...PLANS.map((plan) => {
          const allowed = PLAN_QUOTAS[plan][name];
          return IN_BYTES.has(name) ? `${number.format(allowed / GIGABYTE)} GB` : number.format(allowed);
        }),
      ]),
    ],
  );
