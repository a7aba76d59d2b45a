import { isEmailAddress, isMailAddress } from './email-address.ts';

describe('an e-mail address', () => {
  it.each([
    ...[
      'mia@example.com',
      'a@b.co',
      "o'brien+tag@mail.example.co.uk",
      'x_y-z.1@sub-domain.example.org',
      '1@2.de',
    ],
    ...[
      'jö@exämple.de',
      'jo\u0308@example.de',
      '用户@例子.广告',
      'अजय@डाटा.भारत',
      'квіточка@пошта.укр',
      'θσερ@εχαμπλε.ψομ',
    ],
    ...['info@xn--exmple-cua.de', 'info@example.xn--p1ai', 'a#b=c@example.com', 'dr.müller@straße.example'],
    ...['a-@example.com', '-a@example.com', '+1@example.com', `${'a'.repeat(100)}@example.com`],
  ])('is %s', (text) => expect(isEmailAddress(text)).toBe(true));

  it.each([
    ...[
      '',
      '@',
      'a',
      'a@',
      '@b.de',
      'a@b',
      'a@b.1',
      'a@b.c',
      'a@b.c0m',
      'a@1.2.3.4',
      'a@[127.0.0.1]',
      'a b@c.de',
      'a@b c.de',
      'a@b.de ',
    ],
    ...[
      '.a@b.de',
      'a.@b.de',
      'a..b@c.de',
      'a@.de',
      'a@b..de',
      'a@b.de.',
      'a@-b.de',
      'a@b-.de',
      'a@b@c.de',
      '"a"@b.de',
    ],
    ...[
      'a,b@c.de',
      'a;b@c.de',
      '<a@b.de>',
      'a@b.de\n',
      'a\u00a0@b.de',
      'a\u200b@b.de',
      'a@b\u202e.de',
      'a@b_c.de',
    ],
    ...['mailto:a@b.de', 'Mia <a@b.de>', `a@${'b'.repeat(64)}.de`, 'a\0@b.de', '🙂@b.de'],
  ])('is not %j', (text) => expect(isEmailAddress(text)).toBe(false));

  it('is told from other text of any form', () => {
    for (const part of ['a', 'a.', 'ä-', 'a@', '@a.', '.'])
      expect(isEmailAddress(part.repeat(254).slice(0, 254))).toBe(false);
  });
});

describe('an address that mail is sent to', () => {
  it.each([
    ...['ada@salon.example', "o'neill+desk@salon.example", 'jö@exämple.de', '用户@例子.广告', 'a@b.c'],
    // Of accounts that there are.
    ...['a..b@mail.example', 'a@b_c.example', 'root@10.0.0.7'],
  ])('is %s', (text) => expect(isMailAddress(text)).toBe(true));

  it.each([
    ...['', 'a', 'a@', '@b.de', 'a@salon', 'a@b@salon.example', 'a@[127.0.0.1]'],
    ...['a,b@salon.example', 'a;b@salon.example', 'group:a@salon.example', '"a"@salon.example'],
    ...['<a>@salon.example', 'a b@salon.example', 'a@salon.example ', 'a@salon.example\r\n'],
    ...['a@salon.example\u0000', 'a\u0007@salon.example', 'a@\u202Esalon.example', 'a@b.c(d)'],
  ])('is not %j', (text) => expect(isMailAddress(text)).toBe(false));
});
