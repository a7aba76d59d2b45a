import { businessSchema } from '../business-record.ts';
import { dataOf } from '../envelope.ts';
import type { Operation } from './operation.ts';

export const BUSINESS_OPERATIONS: readonly Operation[] = [
  {
    id: 'get-business',
    resource: 'business',
    method: 'GET',
    path: '/api/v1/business',
    title: 'Get the business',
    description:
      'The business that the key belongs to: its name, time zone, opening hours, booking policy and plan. Also the way to check a key.',
    status: 200,
    answer: dataOf(businessSchema),
    hasEtag: true,
  },
];
