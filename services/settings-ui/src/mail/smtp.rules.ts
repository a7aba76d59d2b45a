import { isMailAddress } from '@frontdesk/contracts';
import addressparser from 'nodemailer/lib/addressparser';

/** How to reach a mail server. */
export interface SmtpServer {
  host: string;
  port: number;
  /** Encrypted from the start (`smtps`). */
  secure: boolean;
  /** Encrypted by STARTTLS, or no email is sent. */
  requireTLS: boolean;
  /** In the clear: the server is on this machine, where nobody listens in. */
  ignoreTLS: boolean;
  auth: { user: string; pass: string } | null;
}

const SUBMISSION_PORT = 587;
const SMTPS_PORT = 465;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/** `smtp://user:password@host:port` or `smtps://`; null for anything else. Nothing in it can switch encryption off. */
export function parseSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol)) return null;
  const { hostname, search, hash, pathname } = url;
  if (hostname === '' || search !== '' || hash !== '' || !['', '/'].includes(pathname)) return null;
  const [user, pass] = [decoded(url.username), decoded(url.password)];
  if (user === null || pass === null || (user === '') !== (pass === '')) return null;
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  const isLoopback = LOOPBACK.test(host.toLowerCase());
  return {
    host,
    port: url.port === '' ? (secure ? SMTPS_PORT : SUBMISSION_PORT) : Number(url.port),
    secure,
    requireTLS: !secure && !isLoopback,
    ignoreTLS: !secure && isLoopback,
    auth: user === '' ? null : { user, pass },
  };
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

export interface Sender {
  name: string;
  address: string;
}

/** One address, with or without a name: `desk@example.com`, `Front desk <desk@example.com>`; null for anything else. */
export function parseSender(text: string): Sender | null {
  if (/\p{Cc}/u.test(text)) return null;
  const [sender, ...others] = addressparser(text);
  if (!sender || others.length > 0 || sender.address === undefined || !isMailAddress(sender.address))
    return null;
  return { name: sender.name, address: sender.address };
}

/** What nodemailer says of a failure. */
export interface SendFault {
  code?: string | undefined;
  /** The SMTP command that was refused. */
  command?: string | undefined;
  responseCode?: number | undefined;
  response?: string | undefined;
}

/** Refused by policy: the sender has not signed in, for example. That may be ours to mend. */
const BY_POLICY = /^5\d\d[ -]5\.7\./;
const AUTHENTICATION_REQUIRED = 530;

/**
 * Whether the server refuses this recipient or this text for good. Other faults concern all emails, and are tried again: the
 * server, the connection, our sign-in, or our address as the sender.
 */
export function isFinal({ code, command, responseCode, response = '' }: SendFault): boolean {
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false;
  // Nodemailer's own refusal of an address that no server could take.
  if (responseCode === undefined) return command === 'API';
  if (responseCode < 500 || responseCode === 503 || responseCode === AUTHENTICATION_REQUIRED) return false;
  return command === 'DATA' || (command === 'RCPT TO' && !BY_POLICY.test(response));
}
