/** What a page says after a change that has led to it. Named in the address; nothing else can be put into a page by that. */
export const NOTICES = {
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
  'password-changed': 'The password is changed. You are signed out everywhere else.',
  'password-set': 'The password is set. You can sign in with it now.',
  'signed-out': 'You are signed out.',
} as const;

export type Notice = keyof typeof NOTICES;
