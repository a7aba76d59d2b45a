/**
 * What a page says after a change that has led to it. Named in the address; nothing else can be put
 * into a page by that.
 */
export const NOTICES = {
  'already-created':
    'Already sent. Nothing new was created this time: check whether it is there. Secrets and links are shown only once.',
  'already-invited': 'Already sent. No other email went out this time.',
  'already-replaced':
    'Already sent. Nothing was replaced this time. A new secret is shown only once: if you haven’t seen it, replace it again.',
  'already-tested':
    'Already made. No new test call was made; if you kept it, it is among the latest messages.',
  'appointment-booked': 'Appointment booked.',
  'appointment-booked-unlinked': 'Appointment booked. The call could not be linked to it.',
  'appointment-moved': 'Appointment moved.',
  'appointment-cancelled': 'Appointment cancelled.',
  'appointment-completed': 'Appointment completed.',
  'appointment-no-show': 'Appointment marked as a no-show.',
  'appointment-reactivated': 'Appointment restored.',
  'appointment-arrived': 'Marked as arrived.',
  'appointment-not-arrived': 'Arrival undone.',
  'appointment-saved': 'Appointment saved.',
  'key-already-replaced':
    'The key was replaced already. If you didn’t copy the new key, revoke it and create another one.',
  'key-changed': 'Key saved.',
  'key-revoked': 'Key revoked. Requests with it are refused from now on.',
  'key-deleted': 'Key deleted.',
  'endpoint-changed': 'Endpoint saved.',
  'endpoint-deleted': 'Endpoint deleted. Its log stays.',
  'endpoint-paused': 'Endpoint paused. Events are not sent until you resume it.',
  'endpoint-resumed': 'The endpoint is active again.',
  'endpoint-resumed-sending':
    'The endpoint is active again. The events that came in meanwhile are being sent: you can follow it below.',
  'delivery-sent-now': 'The delivery is being sent now.',
  'replay-begun': 'The replay has started. You can follow it below.',
  'replay-cancelled': 'The replay is stopped. What was already queued still goes out.',
  'delivery-resent': 'The delivery is on its way again.',
  'invitation-sent': 'Invitation sent. The link in the email works for seven days.',
  'invitation-revoked': 'Invitation revoked. Its link no longer works.',
  'invitation-accepted': 'You have access now. Sign in with your email and the password you just chose.',
  joined: 'You have joined this business.',
  'role-changed': 'Role changed. It takes effect at once.',
  'admin-removed': 'Removed, and signed out everywhere.',
  'called-back': 'Marked as called back.',
  'not-called-back': 'Back on the list of calls to return.',
  'source-changed': 'Settings saved. They apply to calls from now on.',
  'source-paused': 'Source paused. Messages to its address are refused.',
  'source-resumed': 'The source is active again.',
  'source-deleted': 'Source deleted. Its calls stay.',
  'message-replayed': 'The message is being processed again.',
  'message-deleted': 'Message deleted.',
  'password-changed': 'Password changed. You are signed out everywhere else.',
  'session-ended': 'Session ended. That browser is signed out.',
  'sessions-ended': 'You are signed out everywhere else.',
  'password-set': 'Password set. You can sign in with it now.',
  'address-asked':
    'We have sent a link to the new address. It changes once you open that link, within an hour.',
  'address-changed': 'Your address is changed. Sign in with it from now on.',
  'signed-out': 'You are signed out.',
  'customer-added': 'Customer added.',
  'customer-saved': 'Customer saved.',
  'customers-merged': 'Customers merged. All appointments and calls are here within a few seconds.',
  'customer-was-merged': 'The customer you looked for has been merged into this one.',
  'profile-saved': 'Profile saved.',
  'timezone-changed': 'Time zone changed. Free times follow within moments.',
  'booking-saved': 'Booking rules saved. They apply from the next booking on.',
  'service-added': 'Service added.',
  'service-saved': 'Service saved.',
  'service-activated': 'Service activated. It can be booked again.',
  'service-deactivated': 'Service deactivated. Existing appointments stay booked.',
  'service-deleted': 'Service deleted. Existing appointments stay booked.',
  'staff-added': 'Added. Now enter when they work.',
  'staff-added-following':
    'Added. They work the business’s opening hours. Give them hours of their own below if they differ.',
  'staff-saved': 'Details saved.',
  'picture-saved': 'Picture saved.',
  'picture-removed': 'Picture removed.',
  'staff-activated': 'They can be booked again.',
  'staff-deactivated': 'They can no longer be booked. Existing appointments stay booked.',
  'staff-deleted': 'Staff member deleted. Existing appointments stay booked.',
  'hours-followed': 'They work the business’s opening hours from now on.',
  'hours-saved': 'Hours saved.',
  'exception-saved': 'Date saved.',
  'exception-removed': 'The weekly hours apply again on that date.',
  'time-off-added': 'Time off added.',
  'time-off-removed': 'Time off removed.',
} as const;

export type Notice = keyof typeof NOTICES;

/** What has been done, and to which record: `done=service-saved:5`. */
export function doneOf(done: unknown): { notice: Notice; id: number | null } | null {
  const [name = '', id] = typeof done === 'string' ? done.split(':') : [];
  return isNotice(name) ? { notice: name, id: id === undefined ? null : Number(id) } : null;
}

const isNotice = (name: string): name is Notice => Object.hasOwn(NOTICES, name);
