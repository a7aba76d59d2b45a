import { type EmailKind, foldKeyOf, messageIdOf, retryDelayMs } from './email.rules.ts';

it('an attempt comes a second after the first one, then later each time, an hour at most', () => {
  expect([1, 2, 3, 11].map(retryDelayMs)).toEqual([1_000, 2_000, 4_000, 1_024_000]);
  expect([13, 100, 5_000].map(retryDelayMs)).toEqual([3_600_000, 3_600_000, 3_600_000]);
});

it('notices of one kind to one person are folded, however the address is written; links are not, nor the notice of another address', () => {
  expect(foldKeyOf('new_key', ' Ada@Salon.Example')).toBe('new_key:ada@salon.example');
  expect(foldKeyOf('new_key', 'jo\u0308@salon.example')).toBe(foldKeyOf('new_key', 'J\u00D6@salon.example'));
  for (const kind of ['invitation', 'reset', 'address_link', 'address_asked'] satisfies EmailKind[])
    expect(foldKeyOf(kind, 'ada@salon.example')).toBeNull();
});

it('the Message-ID is the row’s, of the sender’s domain', () => {
  const row = { id: 7, made_at: new Date('2026-01-31T09:00:00Z') };
  expect(messageIdOf(row, 'desk@frontdesk.example')).toBe('<email-7-1769850000000@frontdesk.example>');
});
