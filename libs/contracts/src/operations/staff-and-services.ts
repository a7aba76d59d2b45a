import { z } from 'zod';
import { dataOf } from '../errors/envelope.ts';
import { serviceSchema } from '../resources/services.ts';
import { staffListEntry, staffSchema } from '../resources/staff.ts';
import type { Operation } from './operation.ts';

const ofStaff = {
  resource: 'staff',
  scope: 'staff:read',
  owner: 'scheduling',
  record: 'Staff member',
} as const;
const ofServices = {
  resource: 'services',
  scope: 'services:read',
  owner: 'scheduling',
  record: 'Service',
} as const;

export const staffOperations = {
  listStaff: {
    id: 'list-staff',
    ...ofStaff,
    method: 'GET',
    path: '/api/v1/staff',
    title: 'List staff',
    description: 'All active staff, not paged, each with their next free slot.',
    status: 200,
    answer: dataOf(z.array(staffListEntry)),
  },
  getStaffMember: {
    id: 'get-staff-member',
    ...ofStaff,
    method: 'GET',
    path: '/api/v1/staff/{id}',
    title: 'Get a staff member',
    description: 'One staff member, with working hours and booked times, without customer data.',
    status: 200,
    answer: dataOf(staffSchema),
    hasEtag: true,
  },
} as const satisfies Record<string, Operation>;

export const serviceOperations = {
  listServices: {
    id: 'list-services',
    ...ofServices,
    method: 'GET',
    path: '/api/v1/services',
    title: 'List services',
    description: 'All active services, not paged.',
    status: 200,
    answer: dataOf(z.array(serviceSchema)),
  },
  getService: {
    id: 'get-service',
    ...ofServices,
    method: 'GET',
    path: '/api/v1/services/{id}',
    title: 'Get a service',
    description: 'One service.',
    status: 200,
    answer: dataOf(serviceSchema),
    hasEtag: true,
  },
} as const satisfies Record<string, Operation>;
