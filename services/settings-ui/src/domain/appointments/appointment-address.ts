export const APPOINTMENT = '/settings/calendar/appointments/:id';

export const appointmentAddress = (id: number): string => `/settings/calendar/appointments/${id}`;
