import { newPasswordField } from './admins.ts';

it('a new password may have spaces, and not be of nothing else', () => {
  expect(newPasswordField.safeParse('  three calm walruses ').success).toBe(true);
  expect(newPasswordField.safeParse(' \t\u00a0 \u2003\n\t \u00a0 \u2002').success).toBe(false);
});
