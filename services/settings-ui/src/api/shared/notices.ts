/** What a page says after a change that has led to it. Named in the address; nothing else can be put into a page by that. */
export const NOTICES = {
  'already-created': 'Already created. Nothing new was made; its secret or link is shown only once.',
  'already-replaced': 'Already replaced. The new secret stays as it is; it is shown only once.',
  'already-tested':
    'Already made. No new test call was made; if it was kept, it is among the latest messages.',
  'appointment-booked': 'The appointment is booked.',
  'appointment-moved': 'The appointment is moved.',
  'appointment-cancelled': 'The appointment is cancelled.',
  'appointment-completed': 'The appointment is completed.',
  'appointment-no-show': 'The appointment is marked as a no-show.',
  'appointment-reactivated': 'The appointment is scheduled again.',
  'key-revoked': 'The key is revoked. Requests with it are refused from now on.',
  'key-deleted': 'The key is deleted.',
  'endpoint-changed': 'The endpoint is saved.',
  'endpoint-deleted': 'The endpoint is deleted. Its log stays.',
  'endpoint-paused': 'The endpoint is paused. Events are not sent until you resume it.',
  'endpoint-resumed': 'The endpoint is active again.',
  'endpoint-resumed-sending':
    'The endpoint is active again. The events that came in meanwhile are being sent: you can follow it below.',
  'delivery-sent-now': 'The delivery is being sent now.',
  'replay-begun': 'The replay has started. You can follow it below.',
  'replay-cancelled': 'The replay is stopped. What was already queued still goes out.',
  'delivery-resent': 'The delivery is on its way again.',
  'invitation-revoked': 'The invitation is revoked. Its link no longer works.',
  'invitation-accepted': 'You have access now. Sign in with your email and the password you just chose.',
  'admin-removed': 'The admin is removed, and signed out everywhere.',
  'called-back': 'Marked as called back.',
  'not-called-back': 'The call is to be called back again.',
  'source-changed': 'The settings are saved. They apply to calls from now on.',
  'source-paused': 'The source is paused. Messages to its address are refused.',
  'source-resumed': 'The source is active again.',
  'source-deleted': 'The source is deleted. Its calls stay.',
  'message-replayed': 'The message is being processed again.',
  'message-deleted': 'The message is deleted.',
  'password-changed': 'The password is changed. You are signed out everywhere else.',
  'password-set': 'The password is set. You can sign in with it now.',
  'signed-out': 'You are signed out.',
  'customer-added': 'The customer is added.',
  'customer-saved': 'The customer is saved.',
  'profile-saved': 'The profile is saved.',
  'timezone-changed': 'The time zone is changed. Free times follow within moments.',
  'booking-saved': 'The booking rules are saved. They apply from the next booking on.',
  'service-added': 'The service is added.',
  'service-saved': 'The service is saved.',
  'service-activated': 'The service can be booked again.',
  'service-deactivated': 'The service can no longer be booked. Existing appointments stay.',
  'service-deleted': 'The service is deleted. Existing appointments stay.',
  'staff-added': 'Added. Now enter when they work.',
  'staff-added-following':
    'Added. They work the business’s opening hours. Give them hours of their own below if they differ.',
  'staff-saved': 'The details are saved.',
  'staff-activated': 'They can be booked again.',
  'staff-deactivated': 'They can no longer be booked. Existing appointments stay.',
  'staff-deleted': 'The staff member is deleted. Existing appointments stay.',
  'hours-followed': 'They work the business’s opening hours from now on.',
  'hours-saved': 'The hours are saved.',
  'exception-saved': 'The date is saved.',
  'exception-removed': 'The weekly hours apply again on that date.',
  'time-off-added': 'The time off is added.',
  'time-off-removed': 'The time off is removed.',
} as const;

export type Notice = keyof typeof NOTICES;

/** What has been done, and to which record: `done=service-saved:5`. */
export function doneOf(done: unknown): { notice: Notice; id: number | null } | null {
  const [name = '', id] = typeof done === 'string' ? done.split(':') : [];
  return isNotice(name) ? { notice: name, id: id === undefined ? null : Number(id) } : null;
}

const isNotice = (name: string): name is Notice => Object.hasOwn(NOTICES, name);
