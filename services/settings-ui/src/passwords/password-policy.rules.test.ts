import { requireStrongPassword } from './password-policy.rules.ts';

const OWNER = { email: 'maria.winter@salon.example', business: 'Salon Morgenrot' };

const reasonOf = async (password: string): Promise<string | null> => {
  try {
    await requireStrongPassword('new_password', password, OWNER);
    return null;
  } catch (error) {
    const [message = ''] = (error as { errors: Record<string, string[]> }).errors.new_password ?? [];
    return /: (.*?)\./.exec(message)?.[1] ?? message;
  }
};

it.each([
  'three calm walruses',
  'correct horse battery',
  'x7Kq2pLmZ9',
  'Ein schöner Tag im Mai',
  '水の中の静かな三匹のセイウチ',
])('takes %s', async (password) => expect(await reasonOf(password)).toBeNull());

it.each([
  ['password12', 'it is similar to a common password'],
  ['P@ssw0rd2024', 'it is similar to a common password'],
  ['qwertyuiop12', 'it is similar to a common password'],
  ['letmein123', 'it is similar to a common password'],
  ['aaaaaaaaaaaa', 'it repeats itself'],
  ['abcdefghijkl', 'it is a sequence'],
  ['maria.winter', 'it is made of your email address or the name of the business'],
  ['maria.winter@salon.example', 'it is made of your email address or the name of the business'],
  ['Salon Morgenrot', 'it is made of your email address or the name of the business'],
  ['Morgenrot1', 'it is made of your email address or the name of the business'],
])('refuses %s: %s', async (password, reason) => expect(await reasonOf(password)).toBe(reason));
