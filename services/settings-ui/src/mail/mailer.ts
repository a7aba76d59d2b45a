import { createTransport } from 'nodemailer';
import { oneLine } from './plain-text.rules.ts';
import type { Sender, SmtpServer } from './smtp.rules.ts';

/** How many emails are sent at a time. */
export const SENT_AT_ONCE = 4;
/** The longest that sending an email takes, whatever the server does. */
export const SEND_WITHIN_MS = 45_000;
/** Shorter than servers wait: a connection that the server has just closed costs an attempt. */
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
  /** Closes all connections. Emails that are being sent fail. */
  close(): void;
}

/** The options of nodemailer for a server. Nothing in an email makes it read a file or a URL. */
export const transportOptions = ({ auth, ...server }: SmtpServer) => ({
  ...server,
  ...(auth && { auth }),
  pool: true as const,
  maxConnections: SENT_AT_ONCE,
  // The worker tries again. When a connection breaks, it is unknown whether the server has the email.
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

/** Sends emails by a mail server, over connections that it keeps for a while. */
export function createMailer({ server, sender }: { server: SmtpServer; sender: Sender }): Mailer {
  const transport = createTransport(transportOptions(server));
  // While an email is sent, `send` throws it. Between two emails it doesn't matter.
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
