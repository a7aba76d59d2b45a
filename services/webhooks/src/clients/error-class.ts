import { errors } from 'undici';
import type { ErrorClass } from '../domain/attempt.ts';

const CLASS_OF_CODE: Record<string, ErrorClass> = {
  ERR_ADDRESS_REFUSED: 'address',
  ERR_UNRESOLVED_NAME: 'dns',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EADDRNOTAVAIL: 'connect',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  EPROTO: 'tls',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
};

/** Codes of OpenSSL's certificate checks and of Node's own TLS layer. */
const TLS_CODE = /CERT|^ERR_(TLS|SSL)_|UNABLE_TO_VERIFY/;

/** Sorts what undici and the guard before it throw, by its code. */
export function errorClassOf(error: unknown): ErrorClass {
  if (error instanceof errors.HTTPParserError) return 'protocol';
  const code = codeOf(error);
  if (TLS_CODE.test(code)) return 'tls';
  return CLASS_OF_CODE[code] ?? 'other';
}

function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : codeOf(cause);
}
