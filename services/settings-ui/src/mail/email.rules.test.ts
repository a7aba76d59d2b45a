import { type EmailKind, foldKeyOf, messageIdOf, retryDelayMs } from './email.rules.ts';

it('an attempt comes a second after the first one, then later each time, an hour at most', () => {
  expect([1, 2, 3, 11].map(retryDelayMs)).toEqual([1_000, 2_000, 4_000, 1_024_000]);
  expect([13, 100, 5_000].map(retryDelayMs)).toEqual([3_600_000, 3_600_000, 3_600_000]);
});

it('notices of one kind to one person are folded, however the address is written; links are not, nor the notice of another address', () => {
  const keyOf = (kind: EmailKind, email: string) => foldKeyOf(kind, { email, account_id: null });
  expect(keyOf('new_key', ' Ada@Salon.Example')).toBe('new_key:ada@salon.example');
  expect(keyOf('new_key', 'jo\u0308@salon.example')).toBe(keyOf('new_key', 'J\u00D6@salon.example'));
  for (const kind of ['invitation', 'reset', 'address_link', 'address_asked'] satisfies EmailKind[])
    expect(keyOf(kind, 'ada@salon.example')).toBeNull();
});

it('notices to an account are folded whatever its address is', () => {
  const keyOf = (email: string, account_id: number) => foldKeyOf('new_key', { email, account_id });
  expect(keyOf('ada@salon.example', 7)).toBe(keyOf('new@salon.example', 7));
  expect(keyOf('ada@salon.example', 7)).not.toBe(keyOf('ada@salon.example', 8));
});

it('the Message-ID is the row’s, of the sender’s domain', () => {
  const row = { id: 7, made_at: new Date('2026-01-31T09:00:00Z') };
  expect(messageIdOf(row, 'desk@frontdesk.example')).toBe('<email-7-1769850000000@frontdesk.example>');
});
