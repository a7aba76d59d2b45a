import { administratorOf, withPasswordOf } from './postgres-passwords.ts';

const passwords = { postgres: ['new', 'earlier'], frontdesk_crm: ['crm'] };
const WITHOUT = 'postgres://postgres@db:5432/postgres';

describe('administratorOf', () => {
  it('knows what the server may know instead of a password that we have made', () => {
    const adminUrl = 'postgres://postgres:new@db:5432/postgres';
    expect(administratorOf(passwords, WITHOUT, undefined)).toEqual({
      adminUrl,
      earlierPasswords: ['earlier', 'postgres'],
    });
    expect(administratorOf(passwords, WITHOUT, 'chosen')).toEqual({
      adminUrl,
      earlierPasswords: ['earlier', 'chosen', 'postgres'],
    });
  });

  it.each([
    ['with a password', passwords, 'postgres://postgres:mistyped@db:5432/postgres'],
    ['without a file, for PGPASSWORD or a certificate', undefined, WITHOUT],
  ])('leaves an operator their own: %s', (_case, file, adminUrl) => {
    expect(administratorOf(file, adminUrl, 'chosen')).toEqual({ adminUrl, earlierPasswords: [] });
  });
});

it('withPasswordOf names the variable of a role that has none', () => {
  expect(() => withPasswordOf(passwords, 'postgres://nobody@db/x', 'CRM_DATABASE_URL')).toThrow(
    /^CRM_DATABASE_URL has no password/,
  );
});
