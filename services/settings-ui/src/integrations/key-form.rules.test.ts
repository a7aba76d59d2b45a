import { ALL_KEY_SCOPES, KEY_PRESETS, SCOPES_OF_EARLIER_KEYS } from '@frontdesk/contracts';
import { changedKeyForm, expiryDateOf, newKeyForm, rollForm } from './key-form.rules.ts';

const BERLIN = { is_form: 'true', shown_timezone: 'Europe/Berlin' };
const FORM = {
  ...BERLIN,
  name: 'Website',
  preset: 'read_only',
  scopes: undefined,
  expires_at: '',
  networks: '',
};

describe('what a program sends', () => {
  it('gives what programs got before, where it names neither preset nor scopes', () => {
    expect(newKeyForm.parse({ name: 'Website' })).toEqual({
      name: 'Website',
      scopes: SCOPES_OF_EARLIER_KEYS,
      expires_at: null,
      networks: null,
    });
  });

  it.each(Object.entries(KEY_PRESETS))('%s is a list of scopes', (preset, { scopes }) => {
    expect(newKeyForm.parse({ name: 'X', preset }).scopes).toEqual(
      ALL_KEY_SCOPES.filter((scope) => scopes.some((one) => one === scope)),
    );
  });

  it.each([
    [{ preset: 'everything', scopes: ['staff:read'] }, 'preset'],
    [{ preset: 'all' }, 'preset'],
    [{ preset: null }, 'preset'],
    [{ preset: 'own' }, 'scopes'],
    [{ scopes: 'staff:read' }, 'scopes'],
    [{ networks: '10.0.0.0/8' }, 'networks'],
    [{ expires_at: '2099-01-01' }, 'expires_at'],
  ])('refuses %j by %s', (fields, field) => {
    const { error } = newKeyForm.safeParse({ name: 'X', ...fields });
    expect(error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });

  it('changes what it names alone', () => {
    expect(changedKeyForm.parse({ networks: null })).toEqual({ networks: null });
    expect(changedKeyForm.safeParse({ networks: [] }).success).toBe(false);
    expect(changedKeyForm.parse({})).toEqual({});
  });
});

describe('what a form sends', () => {
  it('has boxes, a date and a text', () => {
    const key = newKeyForm.parse({
      ...FORM,
      preset: 'own',
      scopes: 'staff:read',
      expires_at: '2099-06-01',
      networks: '203.0.113.7\r\n 2001:db8::/32, 198.51.100.0/24\n',
    });
    expect(key).toEqual({
      name: 'Website',
      scopes: ['staff:read'],
      expires_at: new Date('2099-06-01T21:59:59Z'),
      networks: ['203.0.113.7', '2001:db8::/32', '198.51.100.0/24'],
    });
  });

  it('a preset goes before boxes that were ticked first', () => {
    expect(newKeyForm.parse({ ...FORM, scopes: ['customers:erase'] }).scopes).not.toContain(
      'customers:erase',
    );
  });

  it.each([
    [{ preset: undefined }, 'preset'],
    [{ preset: 'own' }, 'scopes'],
    [{ expires_at: '2020-01-01' }, 'expires_at'],
    [{ expires_at: '2099-02-30' }, 'expires_at'],
    [{ networks: 'example.com' }, 'networks'],
    [{ networks: ` ${'10.0.0.1,'.repeat(21)}` }, 'networks'],
    [{ name: ' ' }, 'name'],
  ])('refuses %j by %s', (fields, field) => {
    const { error } = newKeyForm.safeParse({ ...FORM, ...fields });
    expect(error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });

  it('the end that it was drawn with stays to the second; another one, or none, does not', () => {
    const shown_expires_at = '2099-06-01T10:20:30Z';
    const drawn = { ...BERLIN, name: 'X', scopes: ['staff:read'], networks: '', shown_expires_at };
    const date = expiryDateOf(shown_expires_at, 'Europe/Berlin');
    expect(changedKeyForm.parse({ ...drawn, expires_at: date }).expires_at).toBeUndefined();
    expect(changedKeyForm.parse({ ...drawn, expires_at: '2099-06-02' }).expires_at).toEqual(
      new Date('2099-06-02T21:59:59Z'),
    );
    expect(changedKeyForm.parse({ ...drawn, expires_at: '' }).expires_at).toBeNull();
    expect(changedKeyForm.parse(drawn).expires_at).toBeUndefined();
    expect(changedKeyForm.safeParse({ ...drawn, scopes: undefined }).error?.issues[0]?.path).toEqual([
      'scopes',
    ]);
    expect(changedKeyForm.safeParse({ ...drawn, shown_expires_at: 'x', expires_at: date }).success).toBe(
      true,
    );
  });
});

it('the hours of a replacement are a whole number, in a form as text', () => {
  expect(rollForm.parse({ hours: '24' })).toEqual({ hours: 24 });
  expect(rollForm.parse({ hours: 0 })).toEqual({ hours: 0 });
  for (const hours of [undefined, '', '1.5', '-1', 169, '169', 1.5, null, [1], '1e1'])
    expect([hours, rollForm.safeParse({ hours }).success]).toEqual([hours, false]);
});
