import { z } from 'zod';
import { dataOf, pageOf } from '../../errors/envelope.ts';
import { bookableDate } from '../../fields/fields.ts';
import {
  appointmentHistorySchema,
  appointmentIds,
  appointmentSchema,
  appointmentsByIdsBody,
  createAppointmentBody,
  listAppointmentsAdminQuery,
  updateAppointmentAdminBody,
} from '../../resources/appointments.ts';
import { bookabilitySchema } from '../../resources/business/bookability.ts';
import {
  bookingSettings,
  chosenPolicy,
  updateBookingSettingsBody,
} from '../../resources/business/booking-settings.ts';
import {
  businessDocument,
  documentWithRawStaff,
  importedBusiness,
} from '../../resources/business/business.ts';
import { appointmentAdminSchema, dayPath, daySchema } from '../../resources/days.ts';
import { holdsState, openHolds, releasedHolds, switchHoldsBody } from '../../resources/holds.ts';
import { createServiceBody, serviceAdminSchema, updateServiceBody } from '../../resources/services.ts';
import { slotSchema, slotsAdminQuery } from '../../resources/slots.ts';
import {
  createStaffBody,
  staffAdminSchema,
  staffHoursSchema,
  staffPictureSchema,
  updateStaffBody,
} from '../../resources/staff.ts';
import { appointmentStatistics } from '../../resources/statistics.ts';
import { snapshotEntry, snapshotQuery } from '../snapshots.ts';
import { type InternalRoutes, OPERATOR, PAGES, TENANT } from './internal-route.ts';
import { eventRoutes, quotaRoutes } from './shared.ts';

const APPOINTMENTS = `${TENANT}/appointments` as const;
const SERVICES = `${TENANT}/services` as const;
const STAFF = `${TENANT}/staff` as const;
const SETTINGS = `${TENANT}/booking-settings` as const;
const appointments = { callers: PAGES, scope: 'appointments:read', record: 'Appointment' } as const;
const services = {
  callers: PAGES,
  scope: 'services:read',
  record: 'Service',
  answer: dataOf(serviceAdminSchema),
} as const;
const staff = {
  callers: PAGES,
  scope: 'staff:read',
  record: 'Staff member',
  answer: dataOf(staffAdminSchema),
} as const;
const settings = { callers: PAGES, path: SETTINGS, answer: dataOf(bookingSettings) } as const;

export const schedulingRoutes = {
  listSnapshot: {
    method: 'GET',
    path: '/internal/snapshots/appointments',
    callers: ['crm'],
    query: snapshotQuery,
    answer: dataOf(snapshotEntry(appointmentSchema).array()),
  },
  listKnownAppointments: {
    method: 'POST',
    path: `${APPOINTMENTS}/by-ids`,
    callers: ['calls'],
    body: appointmentsByIdsBody,
    answer: dataOf(appointmentIds),
  },
  exportBusiness: {
    method: 'GET',
    path: `${TENANT}/business`,
    callers: OPERATOR,
    answer: dataOf(businessDocument),
  },
  importBusiness: {
    method: 'PUT',
    path: `${TENANT}/business`,
    callers: OPERATOR,
    body: documentWithRawStaff,
    answer: dataOf(importedBusiness),
  },
  getBookingSettings: { ...settings, scope: null, method: 'GET' },
  updateBookingSettings: {
    ...settings,
    scope: 'settings:business',
    method: 'PATCH',
    body: updateBookingSettingsBody,
  },
  getBookingPolicy: {
    scope: null,
    method: 'GET',
    path: `${TENANT}/booking-policy`,
    callers: PAGES,
    answer: dataOf(chosenPolicy),
  },
  getBookability: {
    scope: null,
    method: 'GET',
    path: `${TENANT}/bookability`,
    callers: PAGES,
    answer: dataOf(bookabilitySchema),
  },
  /** `date`: the day that is meant, else the present one. */
  getAppointmentStatistics: {
    scope: 'appointments:read',
    method: 'GET',
    path: `${TENANT}/statistics/appointments`,
    callers: PAGES,
    query: z.object({ date: bookableDate.optional() }),
    answer: dataOf(appointmentStatistics),
  },
  listServices: { ...services, method: 'GET', path: SERVICES, answer: dataOf(serviceAdminSchema.array()) },
  createService: {
    ...services,
    scope: 'settings:business',
    method: 'POST',
    path: SERVICES,
    body: createServiceBody,
    status: 201,
  },
  getService: { ...services, method: 'GET', path: `${SERVICES}/{id}` },
  updateService: {
    ...services,
    scope: 'settings:business',
    method: 'PATCH',
    path: `${SERVICES}/{id}`,
    body: updateServiceBody,
  },
  deleteService: { ...services, scope: 'settings:business', method: 'DELETE', path: `${SERVICES}/{id}` },
  listStaff: { ...staff, method: 'GET', path: STAFF, answer: dataOf(staffAdminSchema.array()) },
  createStaffMember: {
    ...staff,
    scope: 'settings:business',
    method: 'POST',
    path: STAFF,
    body: createStaffBody,
    status: 201,
  },
  getStaffMember: { ...staff, method: 'GET', path: `${STAFF}/{id}` },
  updateStaffMember: {
    ...staff,
    scope: 'settings:business',
    method: 'PATCH',
    path: `${STAFF}/{id}`,
    body: updateStaffBody,
  },
  deleteStaffMember: { ...staff, scope: 'settings:business', method: 'DELETE', path: `${STAFF}/{id}` },
  getStaffPicture: {
    ...staff,
    method: 'GET',
    path: `${STAFF}/{id}/picture`,
    answer: dataOf(staffPictureSchema),
  },
  setStaffPicture: {
    ...staff,
    scope: 'settings:business',
    method: 'PUT',
    path: `${STAFF}/{id}/picture`,
    body: staffPictureSchema,
  },
  deleteStaffPicture: {
    ...staff,
    scope: 'settings:business',
    method: 'DELETE',
    path: `${STAFF}/{id}/picture`,
  },
  listStaffHours: {
    scope: 'staff:read',
    method: 'GET',
    path: `${TENANT}/staff-hours`,
    callers: PAGES,
    answer: dataOf(staffHoursSchema.array()),
  },
  getDay: {
    scope: 'appointments:read',
    method: 'GET',
    path: `${TENANT}/days/{date}`,
    callers: PAGES,
    params: dayPath,
    answer: dataOf(daySchema),
    record: 'Day',
  },
  getWeek: {
    scope: 'appointments:read',
    method: 'GET',
    path: `${TENANT}/weeks/{date}`,
    callers: PAGES,
    params: dayPath,
    answer: dataOf(daySchema.array()),
    record: 'Week',
  },
  listSlots: {
    scope: 'appointments:read',
    method: 'GET',
    path: `${TENANT}/slots`,
    callers: PAGES,
    query: slotsAdminQuery,
    answer: dataOf(slotSchema.array()),
  },
  listAppointments: {
    ...appointments,
    method: 'GET',
    path: APPOINTMENTS,
    query: listAppointmentsAdminQuery,
    answer: pageOf(appointmentSchema),
  },
  createAppointment: {
    ...appointments,
    scope: 'appointments:write',
    method: 'POST',
    path: APPOINTMENTS,
    body: createAppointmentBody,
    status: 201,
    answer: dataOf(appointmentSchema),
  },
  getAppointment: {
    ...appointments,
    method: 'GET',
    path: `${APPOINTMENTS}/{id}`,
    answer: dataOf(appointmentAdminSchema),
  },
  updateAppointment: {
    ...appointments,
    scope: 'appointments:write',
    method: 'PATCH',
    path: `${APPOINTMENTS}/{id}`,
    body: updateAppointmentAdminBody,
    answer: dataOf(appointmentSchema),
  },
  listAppointmentHistory: {
    ...appointments,
    method: 'GET',
    path: `${APPOINTMENTS}/{id}/history`,
    answer: dataOf(appointmentHistorySchema),
  },
  getHoldsState: {
    method: 'GET',
    path: '/internal/holds',
    callers: OPERATOR,
    answer: dataOf(holdsState),
  },
  switchHolds: {
    method: 'PATCH',
    path: '/internal/holds',
    callers: OPERATOR,
    body: switchHoldsBody,
    answer: dataOf(holdsState),
  },
  getOpenHolds: {
    scope: 'appointments:read',
    method: 'GET',
    path: `${TENANT}/holds`,
    callers: PAGES,
    answer: dataOf(openHolds),
  },
  releaseHolds: {
    method: 'DELETE',
    path: `${TENANT}/holds`,
    callers: OPERATOR,
    answer: dataOf(releasedHolds),
  },
  ...quotaRoutes,
  ...eventRoutes,
} as const satisfies InternalRoutes;
