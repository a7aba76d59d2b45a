/** What Node reports of a certificate or a handshake, and of a file that an authority can't be read from. */
const TLS_FAULT = /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/;
const FILE_FAULT = /^(ENOENT|EACCES|EISDIR)$/;

/**
 * An engine was reached and doesn't let this service in, or isn't who it should be: nothing passes by waiting, so the
 * service ends. The message is one line that begins with the variable at fault.
 */
export class EngineAccessError extends Error {
  constructor(variable: string, cause: { message: string }) {
    super(`${variable}: ${cause.message.replaceAll(/\s*\n\s*/g, ' ')}`, { cause });
    this.name = 'EngineAccessError';
  }
}

/** Whether the other side's certificate is not trusted, it speaks no TLS, or our authority's file can't be read. */
export function isTlsFault(error: unknown): boolean {
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return TLS_FAULT.test(code) || (FILE_FAULT.test(code) && (syscall === 'open' || syscall === 'read'));
}
