import { z } from 'zod';
import { dataOf } from '../envelope.ts';
import { serviceSchema } from '../services.ts';
import { staffListEntry, staffSchema } from '../staff.ts';
import type { Operation } from './operation.ts';

export const STAFF_OPERATIONS: readonly Operation[] = [
  {
    id: 'list-staff',
    resource: 'staff',
    method: 'GET',
    path: '/api/v1/staff',
    title: 'List staff',
    description: 'All active staff, not paged, each with their next free slot.',
    status: 200,
    answer: dataOf(z.array(staffListEntry)),
  },
  {
    id: 'get-staff-member',
    resource: 'staff',
    method: 'GET',
    path: '/api/v1/staff/{id}',
    title: 'Get a staff member',
    description: 'One staff member, with working hours and booked times, without customer data.',
    status: 200,
    answer: dataOf(staffSchema),
    hasEtag: true,
  },
];

export const SERVICE_OPERATIONS: readonly Operation[] = [
  {
    id: 'list-services',
    resource: 'services',
    method: 'GET',
    path: '/api/v1/services',
    title: 'List services',
    description: 'All active services, not paged.',
    status: 200,
    answer: dataOf(z.array(serviceSchema)),
  },
  {
    id: 'get-service',
    resource: 'services',
    method: 'GET',
    path: '/api/v1/services/{id}',
    title: 'Get a service',
    description: 'One service.',
    status: 200,
    answer: dataOf(serviceSchema),
    hasEtag: true,
  },
];
