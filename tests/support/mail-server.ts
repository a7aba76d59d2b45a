import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { eventually } from './eventually.ts';

export interface ReceivedMail {
  /** As the envelope says. */
  from: string;
  to: string;
  subject: string;
  messageId: string;
  text: string;
  html: string;
  /** The first address of this site in the text. */
  link: string | undefined;
  /** As it came. */
  raw: string;
  parsed: ParsedMail;
  isEncrypted: boolean;
}

/** An SMTP answer, as `550 5.1.1 No such mailbox`; null takes what was sent. */
type Answer = string | null;

interface Answers {
  onSignIn?: (user: string, password: string) => Answer;
  onSender?: (address: string) => Answer;
  onRecipient?: (address: string) => Answer;
  /** After the whole text. One that never resolves keeps the sender waiting. */
  onText?: (mail: ReceivedMail) => Answer | Promise<Answer>;
}

export interface MailServer {
  /** For `SMTP_URL`. */
  url: string;
  port: number;
  /** Everything that was taken so far, the oldest first. */
  messages: ReceivedMail[];
  /** What came for an address. */
  to(address: string): ReceivedMail[];
  /** Waits for what comes for an address, and of that for what matches. */
  waitFor(address: string, matches?: (mail: ReceivedMail) => boolean): Promise<ReceivedMail>;
  /** From now on; nothing refuses nothing. */
  answerWith(answers: Answers): void;
  stop(): Promise<void>;
}

/**
 * A real SMTP server that keeps what it is sent.
 * @param options.tls a certificate: with it STARTTLS is offered, and with `isSecure` all is encrypted from the start
 * @param options.asksForUser whether it wants a user and a password, whichever
 */
export async function startMailServer({
  port = 0,
  tls,
  isSecure = false,
  asksForUser = false,
}: {
  port?: number;
  tls?: { cert: string; key: string };
  isSecure?: boolean;
  asksForUser?: boolean;
} = {}): Promise<MailServer> {
  const messages: ReceivedMail[] = [];
  let answers: Answers = {};
  const server = new SMTPServer({
    ...(tls && { cert: tls.cert, key: tls.key }),
    secure: isSecure,
    disabledCommands: tls ? [] : ['STARTTLS'],
    authOptional: !asksForUser,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      const refusal = refusalOf(answers.onSignIn?.(username ?? '', password ?? ''));
      done(refusal, refusal ? undefined : { user: username ?? '' });
    },
    onMailFrom: ({ address }, _session, done) => done(refusalOf(answers.onSender?.(address))),
    onRcptTo: ({ address }, _session, done) => done(refusalOf(answers.onRecipient?.(address))),
    onData(stream, { envelope, secure }, done) {
      const take = async () => {
        const raw = await buffer(stream);
        const to = envelope.rcptTo[0]?.address ?? '';
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const mail = receivedMail({ from, to, isEncrypted: secure }, raw, await simpleParser(raw));
        const refusal = refusalOf(await answers.onText?.(mail));
        if (!refusal) messages.push(mail);
        return refusal;
      };
      take().then(done, done);
    },
  });
  // Of connections that a client breaks off.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: listening } = server.server.address() as AddressInfo;
  const to = (address: string) => messages.filter((mail) => mail.to === address);
  return {
    url: `${isSecure ? 'smtps' : 'smtp'}://127.0.0.1:${listening}`,
    port: listening,
    messages,
    to,
    waitFor: (address, matches = () => true) =>
      eventually(() => {
        const found = to(address).find(matches);
        if (!found) throw new Error(`No such email for ${address} yet.`);
        return found;
      }),
    answerWith: (next) => {
      answers = next;
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

function receivedMail(
  envelope: Pick<ReceivedMail, 'from' | 'to' | 'isEncrypted'>,
  raw: Buffer,
  parsed: ParsedMail,
): ReceivedMail {
  const text = parsed.text ?? '';
  return {
    ...envelope,
    subject: parsed.subject ?? '',
    messageId: parsed.messageId ?? '',
    text,
    html: parsed.html || '',
    link: /^https?:\/\/\S+$/m.exec(text)?.[0],
    raw: raw.toString('latin1'),
    parsed,
  };
}

function refusalOf(answer: Answer = null): Error | null {
  if (answer === null) return null;
  const [, code, text = ''] = /^(\d{3}) (.*)$/.exec(answer) ?? [];
  return Object.assign(new Error(text), { responseCode: Number(code) });
}
