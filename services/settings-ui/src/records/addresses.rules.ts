export const APPOINTMENT = '/settings/calendar/appointments/:id';

export const appointmentAddress = (id: number): string => `/settings/calendar/appointments/${id}`;

export const CALLS = '/settings/calls';
export const MISSED = `${CALLS}/missed`;
export const SOURCES = `${CALLS}/sources`;
export const callAddress = (id: number): string => `${CALLS}/${id}`;
export const sourceAddress = (id: number): string => `${SOURCES}/${id}`;
export const messageAddress = (id: number): string => `${CALLS}/messages/${id}`;
