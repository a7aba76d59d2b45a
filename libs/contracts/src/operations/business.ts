import { dataOf } from '../errors/envelope.ts';
import { businessSchema } from '../resources/business/business-record.ts';
import type { Operation } from './operation.ts';

export const businessOperations = {
  getBusiness: {
    id: 'get-business',
    resource: 'business',
    scope: null,
    owner: 'scheduling',
    method: 'GET',
    path: '/api/v1/business',
    title: 'Get the business',
    description:
      'The business that the key belongs to: its name, time zone, opening hours, booking policy and plan. Also the way to check a key.',
    status: 200,
    answer: dataOf(businessSchema),
    hasEtag: true,
  },
} as const satisfies Record<string, Operation>;
