/** What became of a request that got no answer, by the class that the log gives it. */
const WORDS: Record<string, string> = {
  timeout: 'no answer in time',
  address: 'the address is not allowed',
  dns: 'the host name was not found',
  connect: 'no connection',
  tls: 'the certificate or the encryption is invalid',
  reset: 'the connection was closed',
  protocol: 'the answer was not HTTP',
  http_status: 'the receiver answered with an error',
  redirect: 'the answer was a redirect, which is not followed',
  other: 'something else went wrong',
};

/** A class of failures, or a status, in words. */
export const failureWords = (failure: string | null): string => WORDS[failure ?? ''] ?? failure ?? 'unknown';
