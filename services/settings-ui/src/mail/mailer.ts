import { createTransport } from 'nodemailer';
import { oneLine } from './plain-text.rules.ts';
import type { Sender, SmtpServer } from './smtp.rules.ts';

/** Emails on their way at the same time. */
export const SENT_AT_ONCE = 4;
/** Longest that an email takes, whatever the server does. */
export const SEND_WITHIN_MS = 45_000;
/** Shorter than servers wait: a connection that one has just closed costs an attempt. */
const IDLE_MS = 10_000;

interface MailToSend {
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** The address that emails come from. */
  readonly from: string;
  /** @throws NodemailerError; whether the server has taken the email is unknown after a time-out */
  send(email: MailToSend): Promise<void>;
  /** Closes all connections. What is on its way fails. */
  close(): void;
}

/** What nodemailer gets of a server. Nothing that an email says makes it read a file or an address. */
export const transportOptions = ({ auth, ...server }: SmtpServer) => ({
  ...server,
  ...(auth && { auth }),
  pool: true as const,
  maxConnections: SENT_AT_ONCE,
  // Of a connection that breaks nobody knows how far the email was: the worker tries again.
  maxRequeues: 0,
  idleTimeout: IDLE_MS,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  dnsTimeout: 10_000,
  disableFileAccess: true,
  disableUrlAccess: true,
  tls: { minVersion: 'TLSv1.2' as const },
});

/** Hands emails in at a server, over connections that it keeps for a while. */
export function createMailer({ server, sender }: { server: SmtpServer; sender: Sender }): Mailer {
  const transport = createTransport(transportOptions(server));
  // What goes wrong on a connection comes out of `send`; between two emails it concerns nobody.
  transport.on('error', () => {});
  const from = { name: oneLine(sender.name), address: sender.address };
  return {
    from: from.address,
    async send({ messageId, to, subject, text, html }) {
      await transport.sendMail({
        from,
        // As an object: text would be read as a list of addresses.
        to: { name: '', address: to },
        envelope: { from: from.address, to: [to] },
        subject: oneLine(subject),
        text,
        html,
        messageId,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        signal: AbortSignal.timeout(SEND_WITHIN_MS),
      });
    },
    close: () => transport.close({ force: true }),
  };
}
