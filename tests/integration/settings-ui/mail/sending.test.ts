import { randomBytes } from 'node:crypto';
import { createSecretBox } from '@frontdesk/service';
import {
  claimEmails,
  dropOverEmails,
  forgetFailedTexts,
  purgeEmails,
  saveComposedEmail,
} from '../../../../services/settings-ui/src/mail/email.repository.ts';
import type { ComposedEmail } from '../../../../services/settings-ui/src/mail/email.rules.ts';
import { createMailer } from '../../../../services/settings-ui/src/mail/mailer.ts';
import { sealEmail } from '../../../../services/settings-ui/src/mail/seal-email.rules.ts';
import { parseSmtpUrl } from '../../../../services/settings-ui/src/mail/smtp.rules.ts';
import { makeCertificate } from '../../../support/certificate.ts';
import { eventually, freePort, type MailServer, startMailServer } from '../../../support/index.ts';
import { SETTINGS_URL, startMailWorld } from './mail-world.ts';

const ADA = 'ada@salon.example';
function parsed(url: string) {
  const server = parseSmtpUrl(url);
  if (!server) throw new Error(`${url} is no server.`);
  return server;
}

const in30Hours = () => new Date(Date.now() + 30 * 3_600_000).toISOString();
const LINK = `${SETTINGS_URL}/settings/reset?token=secret-of-${ADA}`;

let world: Awaited<ReturnType<typeof startMailWorld>>;
let server: MailServer;
beforeAll(async () => {
  world = await startMailWorld();
});
beforeEach(async () => {
  server = await startMailServer();
});
afterEach(async () => {
  await world.clear();
  await server.stop();
});
afterAll(() => world.stop());

describe('an email', () => {
  it('is sent once, to its recipient alone, as text and as HTML; its text is not kept', async () => {
    await world.startSender({ url: server.url });
    await world.reset(ADA);
    const mail = await server.waitFor(ADA);
    expect(mail).toMatchObject({ from: 'desk@frontdesk.example', subject: `For ${ADA}`, link: LINK });
    expect(mail.parsed.from?.text).toBe('"Front desk" <desk@frontdesk.example>');
    expect(mail.parsed.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail.html).toContain('<p>Open it</p>');
    const row = await world.until(({ is_sent }) => is_sent);
    expect(row).toMatchObject({ sealed: null, last_error: null, attempts: 1 });
    expect(server.messages).toHaveLength(1);
  });

  it('to what is no mail address, as an account of 0.1.0 may have one, is dropped, and is no failure', async () => {
    await world.startSender({ url: server.url });
    await world.reset('jo@desk');
    await world.newKey(7, ['ada@salon.example, bob@salon.example'], 'Website');
    await world.reset(ADA);
    await eventually(async () =>
      expect(await world.all()).toEqual([expect.objectContaining({ recipient: ADA, is_sent: true })]),
    );
    expect(server.messages).toHaveLength(1);
  });

  it('waits while the server is down, and is sent with the same Message-ID and link once it is up', async () => {
    const port = await freePort();
    let composed = 0;
    const reset = async ({ recipient }: { recipient: string }): Promise<ComposedEmail> => {
      composed += 1;
      return {
        subject: `Number ${composed} for ${recipient}`,
        text: 'Text',
        html: '<p>Text</p>',
        expiresAt: null,
      };
    };
    await world.startSender({ url: `smtp://127.0.0.1:${port}`, composers: { reset } });
    await world.reset(ADA);
    const waiting = await world.until(({ attempts, last_error }) => attempts >= 2 && last_error !== null);
    expect(waiting).toMatchObject({
      is_sent: false,
      is_failed: false,
      last_error: expect.stringMatching(/ECONNREFUSED/),
    });
    const late = await startMailServer({ port });
    try {
      const ids: string[] = [];
      late.answerWith({
        onText(mail) {
          ids.push(mail.messageId);
          return ids.length === 1 ? '451 4.3.0 Come back later' : null;
        },
      });
      await world.retryNow();
      await eventually(() => expect(ids).toHaveLength(1));
      await world.retryNow();
      expect(await late.waitFor(ADA)).toMatchObject({ subject: `Number 1 for ${ADA}` });
      expect(ids).toEqual([expect.stringMatching(/^<email-\d+-\d+@frontdesk\.example>$/), ids[0]]);
      await world.until(({ is_sent }) => is_sent);
    } finally {
      await late.stop();
    }
  });

  it('is tried again where the server says so for now, or refuses us, our sign-in or our address', async () => {
    const strict = await startMailServer({ asksForUser: true });
    try {
      await world.startSender({ url: strict.url.replace('smtp://', 'smtp://desk:secret@') });
      await world.reset(ADA);
      const isRefused = (text: RegExp) =>
        world.until(({ last_error, is_failed }) => !is_failed && text.test(last_error ?? ''));
      strict.answerWith({ onSignIn: () => '535 5.7.8 Wrong password' });
      await isRefused(/535 5\.7\.8 Wrong password/);
      strict.answerWith({ onSender: () => '550 5.7.1 Not your address' });
      await world.retryNow();
      await isRefused(/550 5\.7\.1 Not your address/);
      strict.answerWith({ onRecipient: () => '554 5.7.1 Relay access denied' });
      await world.retryNow();
      await isRefused(/Relay access denied/);
      strict.answerWith({ onRecipient: () => '452 4.2.2 Mailbox full' });
      await world.retryNow();
      await isRefused(/452 4\.2\.2 Mailbox full/);
      strict.answerWith({});
      await world.retryNow();
      await strict.waitFor(ADA);
      expect(strict.messages).toHaveLength(1);
    } finally {
      await strict.stop();
    }
  });

  it.each([
    ['the recipient', { onRecipient: () => '550 5.1.1 No such mailbox' }],
    ['the text', { onText: () => '554 5.6.0 Not this' }],
  ] as const)(
    'fails at once where the server refuses %s for good, and says why; others go on',
    async (_, answers) => {
      await world.startSender({ url: server.url });
      server.answerWith(answers);
      await world.reset(ADA);
      const failed = await world.until(({ is_failed }) => is_failed);
      expect(failed).toMatchObject({ attempts: 1, last_error: expect.stringMatching(/: 55\d 5\.\d\.\d /) });
      server.answerWith({});
      await world.reset('bob@salon.example');
      await server.waitFor('bob@salon.example');
      expect(server.messages).toHaveLength(1);
    },
  );

  it.each([
    'two,addresses@salon.example',
    'a b@salon.example',
    '<x>@salon.example',
    'x@salon.example\r\nRCPT TO:<y@z.example>',
  ])('to %j reaches nobody else', async (recipient) => {
    await world.startSender({ url: server.url });
    await world.reset(recipient);
    await world.reset(ADA);
    await eventually(async () =>
      expect(await world.all()).toEqual([expect.objectContaining({ recipient: ADA, is_sent: true })]),
    );
    expect(server.messages.map(({ to }) => to)).toEqual([ADA]);
  });

  it('has the headers that we give it, and none that a name brings', async () => {
    const reset = async (): Promise<ComposedEmail> => ({
      subject: 'Salon\r\nBcc: victim@salon.example\r\n\r\n<b>Hello</b> 💇‍♀️ \u202Enolas',
      text: 'Text\r\n.\r\nRCPT TO:<victim@salon.example>\r\n',
      html: '<p>Text</p>',
      expiresAt: null,
    });
    await world.startSender({ url: server.url, composers: { reset } });
    await world.reset(ADA);
    const { parsed, subject, text } = await server.waitFor(ADA);
    expect(parsed.headerLines.map(({ key }) => key).toSorted()).toEqual([
      ...['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'],
      'x-auto-response-suppress',
    ]);
    expect(subject).toBe('Salon Bcc: victim@salon.example <b>Hello</b> 💇‍♀️ nolas');
    expect(text).toContain('.\nRCPT TO:<victim@salon.example>');
    expect(server.messages).toHaveLength(1);
  });

  it('whose link is over before the server is up is written anew, with one that works', async () => {
    const port = await freePort();
    let composed = 0;
    const reset = async (): Promise<ComposedEmail> => {
      composed += 1;
      const expiresAt = new Date(Date.now() + (composed === 1 ? 60_000 : 3_600_000)).toISOString();
      return { subject: `Number ${composed}`, text: 'Text', html: 'Text', expiresAt };
    };
    await world.startSender({ url: `smtp://127.0.0.1:${port}`, composers: { reset } });
    await world.reset(ADA);
    await world.until(({ last_error, subject }) => last_error !== null && subject === 'Number 2');
    const late = await startMailServer({ port });
    try {
      await world.retryNow();
      expect(await late.waitFor(ADA)).toMatchObject({ subject: 'Number 2' });
    } finally {
      await late.stop();
    }
  });

  it('whose link is over while it is tried again is left alone by a process without a server', async () => {
    const reset = async (): Promise<ComposedEmail> => {
      return { subject: 'Subject', text: 'Text', html: 'Text', expiresAt: in30Hours() };
    };
    const down = await world.startSender({
      url: `smtp://127.0.0.1:${await freePort()}`,
      composers: { reset },
    });
    await world.reset(ADA);
    await world.until(({ last_error }) => last_error !== null);
    await down.stop();
    await world.age(31);
    await dropOverEmails(world.database.system);
    await world.startSender({ url: server.url, composers: { reset } });
    await server.waitFor(ADA);
  });

  it('that was composed when all processes ended is sent, however late', async () => {
    const { system } = world.database;
    await world.newKey(7, [ADA], 'Old');
    const [claimed] = await claimEmails(system, { leaseMs: 60_000, limit: 1, isSending: true });
    if (!claimed) throw new Error('There is no email.');
    const { id, attempts, count } = claimed;
    const composed = { subject: 'Composed', text: 'Text', html: 'Text', expiresAt: null };
    const sealed = sealEmail(world.secrets, id, composed);
    const toSave = { id, attempts, count, sealed, subject: 'Composed', expiresAt: null, leaseMs: 60_000 };
    expect(await saveComposedEmail(system, toSave)).toBe(true);
    await world.age(8 * 24);
    await world.startSender({ url: server.url });
    expect(await server.waitFor(ADA)).toMatchObject({ subject: 'Composed' });
  });

  it('that failed keeps no link once that is over', async () => {
    const reset = async (): Promise<ComposedEmail> => {
      return { subject: 'Subject', text: 'Text', html: 'Text', expiresAt: in30Hours() };
    };
    await world.startSender({ url: server.url, composers: { reset } });
    server.answerWith({ onRecipient: () => '550 5.1.1 No such mailbox' });
    await world.reset(ADA);
    await world.until(({ is_failed }) => is_failed);
    await forgetFailedTexts(world.database.system);
    expect(await world.all()).toMatchObject([{ sealed: expect.any(String) }]);
    await world.age(31);
    await forgetFailedTexts(world.database.system);
    expect(await world.all()).toMatchObject([{ sealed: null, is_failed: true }]);
  });

  it('that nobody sends stays as long as its link works, or 30 days; a server gets those of seven days, and none fails', async () => {
    const reset = async (): Promise<ComposedEmail> => {
      return { subject: 'Subject', text: 'Text', html: 'Text', expiresAt: in30Hours() };
    };
    await world.startSender({ composers: { reset } });
    await world.reset(ADA);
    await world.newKey(7, [ADA], 'Old');
    const kinds = async () => (await world.all()).map(({ kind }) => kind);
    const keep = async (hours: number) => {
      await eventually(async () =>
        expect((await world.all()).every(({ is_composed }) => is_composed)).toBe(true),
      );
      await world.age(hours);
      await dropOverEmails(world.database.system);
      await purgeEmails(world.database.system, 30);
      return kinds();
    };
    expect(await keep(29)).toEqual(['reset', 'new_key']);
    expect(await keep(2)).toEqual(['new_key']);
    expect(await keep(29 * 24 - 31)).toEqual(['new_key']);
    await world.newKey(7, [ADA], 'New');
    expect(await keep(6 * 24)).toEqual(['new_key']);
    await world.newKey(7, [ADA], 'Today');
    await keep(2 * 24);
    await world.newKey(7, [ADA], 'Now');
    await world.startSender({ url: server.url });
    await eventually(() => expect(server.messages).toHaveLength(2));
    await eventually(async () => expect((await world.all()).every(({ is_sent }) => is_sent)).toBe(true));
    expect(server.messages.map(({ text }) => /Key: (\w+)/.exec(text)?.[1] ?? '').toSorted()).toEqual([
      'Now',
      'Today',
    ]);
  });

  it('is not sent once its link has expired, nor after seven days', async () => {
    const expired = async (): Promise<ComposedEmail> => ({
      subject: 'Late',
      text: 'Late',
      html: 'Late',
      expiresAt: new Date(Date.now() - 1_000).toISOString(),
    });
    await world.startSender({ url: server.url, composers: { reset: expired } });
    await world.reset(ADA);
    expect(await world.until(({ is_failed }) => is_failed)).toMatchObject({
      last_error: 'Its link had expired before it could be sent.',
    });
    await world.clear();
    const down = await world.startSender({ url: `smtp://127.0.0.1:${await freePort()}` });
    await world.reset(ADA);
    await world.until(({ last_error }) => last_error !== null);
    await down.stop();
    await world.age(7 * 24 + 1);
    await world.startSender({ url: server.url });
    expect(await world.until(({ is_failed }) => is_failed)).toMatchObject({
      last_error: 'Not sent within 7 days.',
    });
    expect(server.messages).toEqual([]);
  });

  it.each(['nobody@salon.example', 'no,body@salon.example'])(
    'of %s, which nobody has, is nothing: no email, and no row, failed or not',
    async (nobody) => {
      await world.startSender({ url: server.url, composers: { reset: async () => null } });
      await world.reset(nobody);
      await eventually(async () => expect(await world.all()).toEqual([]));
      expect(server.messages).toEqual([]);
    },
  );

  it('is composed and kept without a server, and sent once there is one', async () => {
    await world.startSender();
    await world.reset(ADA);
    const kept = await world.until(
      ({ is_composed, seconds_until_due }) => is_composed && seconds_until_due <= 0,
    );
    expect(kept).toMatchObject({ is_sent: false, is_failed: false, subject: `For ${ADA}`, last_error: null });
    await world.startSender({ url: server.url });
    expect(await server.waitFor(ADA)).toMatchObject({ link: LINK });
  });

  it('is sealed in the table: who reads that without the key learns no link', async () => {
    await world.startSender();
    await world.reset(ADA);
    await world.until(({ is_composed }) => is_composed);
    const stolen = JSON.stringify(await world.all());
    expect(stolen).toContain('sealed');
    expect(stolen).not.toContain('secret-of');
    expect(stolen).not.toContain('token');
  });

  it('whose key is lost is composed anew', async () => {
    await world.startSender();
    await world.reset(ADA);
    await world.until(({ is_composed }) => is_composed);
    const box = createSecretBox([{ id: 'another', key: randomBytes(32) }]);
    await world.startSender({ url: server.url, box });
    expect(await server.waitFor(ADA)).toMatchObject({ link: LINK });
  });
});

describe('several processes', () => {
  it('send each email once', async () => {
    const everybody = Array.from({ length: 24 }, (_, index) => `person-${index}@salon.example`);
    await Promise.all(everybody.map((each) => world.reset(each)));
    await Promise.all([1, 2, 3].map(() => world.startSender({ url: server.url })));
    await eventually(async () => expect((await world.all()).every(({ is_sent }) => is_sent)).toBe(true));
    expect(server.messages.map(({ to }) => to).toSorted()).toEqual(everybody.toSorted());
  });

  it('send what one that died has claimed', async () => {
    await world.reset(ADA);
    const wanted = { leaseMs: 300, limit: 1, isSending: true };
    expect(await claimEmails(world.database.system, wanted)).toHaveLength(1);
    await world.startSender({ url: server.url });
    await server.waitFor(ADA);
    expect(await world.until(({ is_sent }) => is_sent)).toMatchObject({ attempts: 2 });
  });

  it('send it once where one that lost its lease goes on', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    const slow = async ({ recipient }: { recipient: string }): Promise<ComposedEmail> => {
      asked += 1;
      await promise;
      return { subject: `Slow, for ${recipient}`, text: 'Slow', html: 'Slow', expiresAt: null };
    };
    const first = await world.startSender({ url: server.url, leaseMs: 200, composers: { reset: slow } });
    await world.reset(ADA);
    await eventually(() => expect(asked).toBe(1));
    await world.startSender({ url: server.url });
    await world.until(({ is_sent }) => is_sent);
    resolve();
    await first.stop();
    expect(server.messages.map(({ subject }) => subject)).toEqual([`For ${ADA}`]);
  });
});

describe('encryption', () => {
  it('a server elsewhere that offers none gets no email, and no password', async () => {
    const passwords: string[] = [];
    server.answerWith({
      onSignIn(_user, password) {
        passwords.push(password);
        return null;
      },
    });
    // As if this machine were another one.
    const [, port] = /:(\d+)$/.exec(server.url) ?? [];
    const elsewhere = { ...parsed(`smtp://user:secret@mail.example.com:${port}`), host: '127.0.0.1' };
    const mailer = createMailer({
      server: elsewhere,
      sender: { name: '', address: 'desk@frontdesk.example' },
    });
    const sent = mailer.send({ messageId: '<1@x>', to: ADA, subject: 'Subject', text: 'Text', html: 'Text' });
    await expect(sent).rejects.toMatchObject({ code: 'ETLS' });
    mailer.close();
    expect([passwords, server.messages]).toEqual([[], []]);
  });

  it('a server whose certificate nobody vouches for gets no email', async () => {
    const certificate = await makeCertificate();
    const tls = { cert: certificate.cert, key: certificate.key };
    const secure = await startMailServer({ tls, isSecure: true });
    try {
      await world.startSender({ url: secure.url });
      await world.reset(ADA);
      const refused = await world.until(({ last_error }) => last_error !== null);
      expect(refused).toMatchObject({
        is_failed: false,
        last_error: expect.stringMatching(/self-signed certificate/),
      });
      expect(secure.messages).toEqual([]);
    } finally {
      await secure.stop();
      await certificate.remove();
    }
  });
});
