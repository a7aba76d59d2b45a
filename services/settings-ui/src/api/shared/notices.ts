/** What a page says after a change that has led to it. Named in the address; nothing else can be put into a page by that. */
export const NOTICES = {
  'already-created': 'Already created. Nothing new was made; its secret or link is shown only once.',
  'already-replaced': 'Already replaced. The new secret stays as it is; it is shown only once.',
  'key-revoked': 'The key is revoked. Requests with it are refused from now on.',
  'key-deleted': 'The key is deleted.',
  'endpoint-changed': 'The endpoint is changed.',
  'endpoint-deleted': 'The endpoint is deleted. Its log stays.',
  'endpoint-paused': 'The endpoint is paused. Nothing is sent until you resume it.',
  'endpoint-resumed': 'The endpoint is active again.',
  'test-sent': 'A test event is on its way. The delivery log shows what comes of it.',
  'replay-begun': 'Sending again has begun. You can follow it below.',
  'replay-cancelled': 'Nothing more of it is sent again. What was queued by then still goes out.',
  'delivery-resent': 'The delivery is on its way again.',
  'invitation-revoked': 'The invitation is revoked. Its link opens nothing any more.',
  'invitation-accepted':
    'You have access now. Sign in with your email and the password you have just chosen.',
  'admin-removed': 'The admin is removed, and signed out everywhere.',
  'source-changed': 'The settings are saved. Calls from now on obey them.',
  'source-paused': 'The source is paused. What is sent to its address is refused.',
  'source-resumed': 'The source is active again.',
  'source-deleted': 'The source is deleted. Its calls stay.',
  'message-replayed': 'The message is read again. Look here again in a moment.',
  'message-deleted': 'The message is deleted.',
  'password-changed': 'The password is changed. You are signed out everywhere else.',
  'password-set': 'The password is set. You can sign in with it now.',
  'signed-out': 'You are signed out.',
  'profile-saved': 'The profile is saved.',
  'timezone-changed': 'The time zone is changed. Within moments free times go by it.',
  'booking-saved': 'The booking rules are saved. They count from the next booking on.',
  'service-added': 'The service is added.',
  'service-saved': 'The service is saved.',
  'service-activated': 'The service can be booked again.',
  'service-deactivated': 'The service can’t be booked any more. What is booked stays.',
  'service-deleted': 'The service is deleted. What is booked stays.',
  'performers-missing':
    'The service is saved, but who performs it could not be. Please choose that again below.',
  'performers-gone':
    'The service is saved, but somebody who was to perform it has been deleted meanwhile. Those who perform it are checked below.',
  'staff-added': 'Added. Now enter when they work.',
  'staff-saved': 'The details are saved.',
  'staff-activated': 'They can be booked again.',
  'staff-deactivated': 'They can’t be booked any more. What is booked stays.',
  'staff-deleted': 'The member of staff is deleted. What is booked stays.',
  'hours-saved': 'The hours are saved.',
  'exception-saved': 'The date is saved.',
  'exception-removed': 'The date goes by the weekly hours again.',
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
