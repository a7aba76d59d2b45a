import { NO_REGION, regionOf } from '../region/region.rules.ts';
import type { ComposedEmail, EmailToCompose, Occurrence, SecurityKind } from './email.rules.ts';
import { addressLinkEmail, addressTakenEmail, invitationEmail, resetEmail } from './link-emails.view.ts';
import { securityEmail } from './security-emails.view.ts';

const AT = '2026-01-31T14:05:00Z';
const BERLIN = regionOf({ tenant: { timezone: 'Europe/Berlin', country: 'DE' } });
const NEW_YORK = regionOf({ tenant: { timezone: 'America/New_York', country: 'US' } });
const settingsUrl = 'https://settings.example.com';
const URL = `${settingsUrl}/settings/invitation?token=abc&x=1`;
const LINK = { url: URL, expiresAt: AT, region: BERLIN };
const BUSINESS = 'Salon Mitte';

const CONTROLS = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;
const HOSTILE = [
  'Salon\r\nBcc: victim@example.com',
  'Salon\u0000\u0007',
  '\u202Enolas\u202C',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '💇‍♀️ Größe & Söhne',
  'x'.repeat(200),
  '',
];

const occurrences: { [Kind in SecurityKind]: Occurrence<Kind> } = {
  new_device: { device: 'Chrome on Windows', network: '203.0.113.0/24', at: AT },
  new_key: { name: 'Website', by: 'ada@salon.example', at: AT },
  key_asked: { name: 'Website', by: 'ada@salon.example', at: AT },
  key_expires: { name: 'Website (…ab12)', at: AT },
  key_leaked: { name: 'Website (…ab12)', by: 'Operator (alice)', at: AT },
  new_member: { email: 'new@salon.example', invited_by: 'ada@salon.example', role: 'viewer', at: AT },
  password_changed: { by: 'link', at: AT },
  address_asked: { to: 'ada@new.example', at: AT },
  address_changed: { from: 'ada@salon.example', to: 'ada@new.example', at: AT },
  endpoint_disabled: { url: 'https://example.com/hook?a=1&b=2', at: AT },
};
const KINDS = Object.keys(occurrences) as SecurityKind[];

function security<Kind extends SecurityKind>(
  kind: Kind,
  {
    count = 1,
    business = BUSINESS,
    details = [occurrences[kind]],
    region = BERLIN,
  }: { count?: number; business?: string | null; details?: Occurrence<Kind>[]; region?: typeof BERLIN } = {},
): ComposedEmail {
  const email: EmailToCompose<Kind> = {
    id: 1,
    tenant_id: 7,
    kind,
    recipient: 'ada@salon.example',
    details,
    count,
  };
  return securityEmail(email, { business, region, settingsUrl });
}

/** Every email there is, with this in each place that somebody else fills. */
const allWith = (text: string): [string, ComposedEmail][] => [
  [
    'invitation',
    invitationEmail({ ...LINK, business: text, invitedBy: text, role: 'viewer', hasAccount: false }),
  ],
  ['reset', resetEmail({ ...LINK, business: text })],
  ['address', addressLinkEmail({ ...LINK, business: text, current: text, recipient: text })],
  ['taken', addressTakenEmail({ business: text, current: text, recipient: text })],
  ...KINDS.map((kind): [string, ComposedEmail] => {
    const occurrence = Object.fromEntries(
      Object.entries(occurrences[kind]).map(([name, value]) => [
        name,
        typeof value === 'string' && !['at', 'role'].includes(name) && value !== 'link' ? text : value,
      ]),
    ) as unknown as Occurrence<typeof kind>;
    return [kind, security(kind, { business: text, details: [occurrence] })];
  }),
];

it('about who has joined says as what, where that is known', () => {
  expect(security('new_member').text).toContain('Role: Viewer');
  const { role: _, ...earlier } = occurrences.new_member;
  expect(security('new_member', { details: [earlier] }).text).not.toContain('Role');
});

describe('each email', () => {
  it.each(HOSTILE)('stays whole with %j in it', (text) => {
    for (const [, { subject, text: plain, html }] of allWith(text)) {
      // A header of one line, with nothing that turns it around.
      expect(subject).not.toMatch(CONTROLS);
      expect(subject.length).toBeLessThan(250);
      expect(plain.replaceAll('\n', ' ')).not.toMatch(CONTROLS);
      expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>/);
      expect(html.replaceAll('\n', ' ')).not.toMatch(CONTROLS);
    }
  });

  it.each(allWith(BUSINESS))(
    '%s: names the business, and says the same as text and as HTML',
    (_kind, email) => {
      const { subject, text, html } = email;
      expect(subject).toContain(BUSINESS);
      expect(html).toMatch(/^<!doctype html>/);
      expect(html).toContain('<meta name="color-scheme" content="light dark">');
      const words = (markup: string) =>
        markup
          .replace(/<title>.*<\/title>/, '')
          .replaceAll(/<[^>]*>/g, ' ')
          .replaceAll('&amp;', '&')
          .replaceAll('&#39;', "'");
      for (const line of text.split('\n').filter((each) => each !== '-- '))
        for (const word of line.trim().split(/[\s:]+/)) expect(words(html)).toContain(word);
      // Readable and harmless anywhere: nothing is loaded, run or hidden.
      expect(html).not.toMatch(/<(?:img|script|link|style|form|iframe)\b|url\(|@import|display:none/);
      expect(html.length).toBeLessThan(10_000);
      expect(text.split('\n').filter((line) => line.length > 76 && !line.startsWith('https://'))).toEqual([]);
    },
  );
});

describe('an invitation', () => {
  it('says who invites, as what, what to do, and until when, on the business’s clocks', () => {
    const invited = {
      ...LINK,
      business: BUSINESS,
      invitedBy: 'ada@salon.example',
      role: 'receptionist',
      hasAccount: false,
    } as const;
    const { subject, text, expiresAt } = invitationEmail(invited);
    expect(subject).toBe('You’re invited to Salon Mitte');
    expect(text.replaceAll(/\s/g, ' ')).toContain(
      'ada@salon.example has invited you to join Salon Mitte on Frontdesk. Your role: Receptionist.',
    );
    expect(text).toContain('Choose a password to join.');
    expect(text).toContain(`Accept the invitation:\n${URL}\n`);
    expect(text.replaceAll(/\s/g, ' ')).toContain(
      'until Saturday, 31 January 2026 at 15:05 (Europe/Berlin).',
    );
    expect(expiresAt).toBe(AT);
    const known = invitationEmail({ ...invited, hasAccount: true, region: NEW_YORK });
    expect(known.text).toContain('You have an account already: sign in with it to join.');
    expect(known.text.replaceAll(/\s/g, ' ')).toContain(
      'until Saturday, January 31, 2026 at 9:05 AM (America/New_York).',
    );
  });
});

describe('a security email', () => {
  it('tells of one occurrence: what, who, when, and what to do', () => {
    const { subject, text } = security('new_device', { business: null, region: NO_REGION });
    expect(subject).toBe('New sign-in to Frontdesk');
    expect(text).toContain('  Device: Chrome on Windows\n  From: 203.0.113.0/24\n  When: ');
    expect(text).toContain('(UTC)');
    expect(text).toContain(`Review your account:\n${settingsUrl}/settings/account\n`);
  });

  it.each(
    KINDS.map(
      (kind) =>
        [kind, security(kind, { count: 3, details: [occurrences[kind], occurrences[kind]] })] as const,
    ),
  )('%s: tells of several, with their number', (_kind, { subject, text }) => {
    expect(subject).toMatch(/\b3\b/);
    expect(text.match(/ (?:When|Expires): /g)).toHaveLength(2);
    expect(text).toContain('And 1 time before that.');
  });

  it('leads to what it is about', () => {
    const linkOf = (kind: SecurityKind) => /^https:\/\/settings.*$/m.exec(security(kind).text)?.[0];
    expect(KINDS.map((kind) => [kind, linkOf(kind)?.replace(settingsUrl, '')])).toEqual([
      ['new_device', '/settings/account'],
      ['new_key', '/settings/api'],
      ['key_asked', '/settings/api'],
      ['key_expires', '/settings/api'],
      ['key_leaked', '/settings/api'],
      ['new_member', '/settings/people'],
      ['password_changed', '/settings/forgot'],
      ['address_asked', '/settings/forgot'],
      ['address_changed', '/settings/sign-in'],
      ['endpoint_disabled', '/settings/api'],
    ]);
  });
});
