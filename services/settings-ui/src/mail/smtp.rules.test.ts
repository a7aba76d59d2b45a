import { isFinal, parseSender, parseSmtpUrl } from './smtp.rules.ts';

describe('the mail server', () => {
  it.each([
    'smtp://mail.example.com',
    'smtp://user:secret@mail.example.com:2525',
    'smtp://10.0.0.7',
    'smtp://mailhog:1025',
    'smtp://[2001:db8::1]:25',
    'smtp://localhost.example.com',
    'smtp://127.0.0.1.example.com',
    'smtp://128.0.0.1',
  ])('%s gets nothing without STARTTLS', (url) =>
    expect(parseSmtpUrl(url)).toMatchObject({ secure: false, requireTLS: true, ignoreTLS: false }),
  );

  it.each([
    'smtp://localhost:1025',
    'smtp://127.0.0.1:1025',
    'smtp://127.9.9.9',
    'smtp://[::1]:25',
    'smtp://LOCALHOST',
  ])('%s is this machine, which needs none', (url) =>
    expect(parseSmtpUrl(url)).toMatchObject({ secure: false, requireTLS: false, ignoreTLS: true }),
  );

  it.each(['smtps://mail.example.com', 'smtps://localhost'])('%s is encrypted from the start', (url) =>
    expect(parseSmtpUrl(url)).toMatchObject({ secure: true, requireTLS: false, ignoreTLS: false }),
  );

  it('has a port of its own or that of its protocol, and user and password as a URL writes them', () => {
    expect(parseSmtpUrl('smtp://mail.example.com')).toMatchObject({
      host: 'mail.example.com',
      port: 587,
      auth: null,
    });
    expect(parseSmtpUrl('smtps://mail.example.com/')).toMatchObject({ port: 465 });
    expect(parseSmtpUrl('smtp://desk%40example.com:p%40ss%2F%3A@mail.example.com:26')).toMatchObject({
      port: 26,
      auth: { user: 'desk@example.com', pass: 'p@ss/:' },
    });
    expect(parseSmtpUrl('smtp://[2001:db8::1]')).toMatchObject({ host: '2001:db8::1' });
  });

  it.each([
    ...[
      'mail.example.com',
      'http://mail.example.com',
      'smtp://',
      'smtp://user@mail.example.com',
      'smtp://:x@mail.example.com',
    ],
    ...[
      'smtp://mail.example.com?tls.rejectUnauthorized=false',
      'smtp://mail.example.com/x',
      'smtp://mail.example.com#x',
    ],
    ...['smtp://%ff:x@mail.example.com', 'smtp://mail.example.com:99999', 'direct:?name=x', ''],
  ])('can’t be %j', (url) => expect(parseSmtpUrl(url)).toBeNull());
});

describe('the sender', () => {
  it.each([
    ['desk@example.com', { name: '', address: 'desk@example.com' }],
    ['Front desk <desk@example.com>', { name: 'Front desk', address: 'desk@example.com' }],
    ['"Desk, front" <desk@example.com>', { name: 'Desk, front', address: 'desk@example.com' }],
    ['Größe 日本 <desk@exämple.de>', { name: 'Größe 日本', address: 'desk@exämple.de' }],
  ])('%j is read', (text, sender) => expect(parseSender(text)).toEqual(sender));

  it.each([
    ...['', 'Front desk', 'desk', 'desk@', '@example.com', 'a@x.example, b@x.example', 'Team: a@x.example;'],
    ...['Desk <desk@example.com>\r\nBcc: x@example.com', 'a@b@example.com', '<desk@example.com\n>'],
  ])('can’t be %j', (text) => expect(parseSender(text)).toBeNull());
});

describe('a refusal', () => {
  const RECIPIENT = { code: 'EENVELOPE', command: 'RCPT TO' };
  it.each([
    { ...RECIPIENT, responseCode: 550, response: '550 5.1.1 No such mailbox' },
    { ...RECIPIENT, responseCode: 552, response: '552 Mailbox gone' },
    { code: 'EMESSAGE', command: 'DATA', responseCode: 554, response: '554 5.7.1 Spam' },
    { code: 'EENVELOPE', command: 'API' },
  ])('%j is final', (fault) => expect(isFinal(fault)).toBe(true));

  it.each([
    { ...RECIPIENT, responseCode: 450, response: '450 4.2.0 Greylisted' },
    { ...RECIPIENT, responseCode: 554, response: '554 5.7.1 Relay access denied' },
    { ...RECIPIENT, responseCode: 530, response: '530 Authentication required' },
    { ...RECIPIENT, responseCode: 503, response: '503 Bad sequence' },
    { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 553, response: '553 Sender not owned' },
    { code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535, response: '535 5.7.8 Wrong' },
    { code: 'ETLS' },
    { code: 'ESOCKET' },
    { code: 'ETIMEDOUT' },
    { code: 'EMESSAGE', command: 'DATA', responseCode: 451, response: '451 Later' },
    {},
  ])('%j is tried again', (fault) => expect(isFinal(fault)).toBe(false));
});
