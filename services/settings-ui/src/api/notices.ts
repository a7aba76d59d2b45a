/** What a page says after a change that has led to it. Named in the address; nothing else can be put into a page by that. */
export const NOTICES = {
  'key-revoked': 'The key is revoked. Requests with it are refused from now on.',
  'key-deleted': 'The key is deleted.',
  'endpoint-deleted': 'The endpoint is deleted. Its log stays.',
  'endpoint-paused': 'The endpoint is paused. Nothing is sent until you resume it.',
  'endpoint-resumed': 'The endpoint is active again.',
  'test-sent': 'A test event is on its way. The delivery log shows what comes of it.',
  'delivery-resent': 'The delivery is on its way again.',
  'source-changed': 'The settings are saved. Calls from now on obey them.',
  'source-paused': 'The source is paused. What is sent to its address is refused.',
  'source-resumed': 'The source is active again.',
  'source-deleted': 'The source is deleted. Its calls stay.',
  'message-replayed': 'The message is read again. Look here again in a moment.',
  'message-deleted': 'The message is deleted.',
  'password-changed': 'The password is changed. You are signed out everywhere else.',
  'password-set': 'The password is set. You can sign in with it now.',
  'signed-out': 'You are signed out.',
} as const;

export type Notice = keyof typeof NOTICES;
