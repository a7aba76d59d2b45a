import { transportOptions } from './mailer.ts';
import { parseSmtpUrl } from './smtp.rules.ts';

it('no email makes the transport read a file or an address, and each wait of it has a bound', () => {
  const server = parseSmtpUrl('smtp://user:secret@mail.example.com');
  expect(server && transportOptions(server)).toMatchObject({
    host: 'mail.example.com',
    requireTLS: true,
    ignoreTLS: false,
    disableFileAccess: true,
    disableUrlAccess: true,
    auth: { user: 'user', pass: 'secret' },
    tls: { minVersion: 'TLSv1.2' },
    maxRequeues: 0,
    connectionTimeout: expect.any(Number),
    greetingTimeout: expect.any(Number),
    socketTimeout: expect.any(Number),
    dnsTimeout: expect.any(Number),
  });
});
