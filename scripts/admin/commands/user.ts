import { MEMBER_ROLES, MIN_PASSWORD, settingsRoutes as routes } from '@frontdesk/contracts';
import { type Command, Option } from 'commander';
import { requestTo } from '../clients.ts';
import { WrongInput } from '../errors.ts';
import { type TenantOptions, tenantVerb } from '../options.ts';
import { printRecord, printTable } from '../output.ts';
import { requiredPassword, secretOptions } from '../secret-input.ts';

const request = requestTo('settings-ui');
const PASSWORD = `at least ${MIN_PASSWORD} characters, hard to guess`;
const COLUMNS = ['id', 'email', 'role', 'last_sign_in_at', 'created_at'];

interface UserOptions extends TenantOptions {
  email: string;
}

interface RoleOptions extends UserOptions {
  role: string;
}

interface PasswordOptions extends UserOptions {
  password?: string | true;
  passwordFile?: string;
}

export function userCommands(program: Command): void {
  const user = program.command('user').description('people who sign in to the settings of a business');

  const create = tenantVerb(user, 'create', 'add an admin with an account of their own');
  secretOptions(create, 'password', `${PASSWORD}; they can change it`)
    .requiredOption('--email <address>', 'what they sign in with')
    .addOption(roleOption().default('owner'))
    .action(async ({ tenant: tenantId, json, email, role, ...given }: PasswordOptions & RoleOptions) => {
      const password = await requiredPassword(given);
      printRecord(await request(routes.createAdmin, { tenantId, body: { email, password, role } }), { json });
    });

  tenantVerb(
    user,
    'join',
    'add an admin who has an account already: they sign in with the password that they have',
  )
    .requiredOption('--email <address>', 'whose')
    .addOption(roleOption().default('owner'))
    .action(async ({ tenant: tenantId, json, email, role }: RoleOptions) => {
      printRecord(await request(routes.createAdmin, { tenantId, body: { email, role } }), { json });
    });

  tenantVerb(user, 'list', 'every admin of a business').action(
    async ({ tenant: tenantId, json }: TenantOptions) => {
      printTable(await request(routes.listAdmins, { tenantId }), COLUMNS, { json });
    },
  );

  tenantVerb(
    user,
    'remove',
    'take an admin’s access away, also the last owner’s; wherever they are signed in to this business, they are out',
  )
    .requiredOption('--email <address>', 'whose')
    .action(async ({ tenant: tenantId, json, email }: UserOptions) => {
      const { id } = await adminOf(tenantId, email);
      printRecord(await request(routes.removeAdmin, { tenantId, id }), { json });
      await warnWithoutOwner(tenantId);
    });

  tenantVerb(user, 'set-role', 'change what an admin may do, also the last owner; it counts at once')
    .requiredOption('--email <address>', 'whose')
    .addOption(roleOption().makeOptionMandatory())
    .action(async ({ tenant: tenantId, json, email, role }: RoleOptions) => {
      const { id } = await adminOf(tenantId, email);
      printRecord(await request(routes.setRole, { tenantId, id, body: { role } }), { json });
      await warnWithoutOwner(tenantId);
    });

  const setPassword = tenantVerb(user, 'set-password', 'set an admin’s password; all of their sessions end');
  secretOptions(setPassword, 'password', PASSWORD)
    .requiredOption('--email <address>', 'whose')
    .action(async ({ tenant: tenantId, json, email, ...given }: PasswordOptions) => {
      const password = await requiredPassword(given);
      printRecord(await request(routes.setPassword, { tenantId, body: { email, password } }), { json });
    });

  tenantVerb(user, 'reset-link', 'a link by which an admin sets a new password, once, within the hour')
    .requiredOption('--email <address>', 'whose')
    .action(async ({ tenant: tenantId, json, email }: UserOptions) => {
      printRecord(await request(routes.createResetLink, { tenantId, body: { email } }), { json });
    });
}

const roleOption = () => new Option('--role <role>', 'what they may do').choices(MEMBER_ROLES);

async function adminOf(tenantId: number, email: string) {
  const admins = await request(routes.listAdmins, { tenantId });
  const admin = admins.find((one) => folded(one.email) === folded(email));
  if (!admin) throw new WrongInput(`Tenant ${tenantId} has no admin ${email}.`);
  return admin;
}

/** Nobody but an owner makes others owners, and the operator. */
async function warnWithoutOwner(tenantId: number): Promise<void> {
  const admins = await request(routes.listAdmins, { tenantId });
  if (admins.length > 0 && !admins.some(({ role }) => role === 'owner'))
    process.stderr.write(
      `Tenant ${tenantId} has no owner any more: nobody can invite or remove people. See set-role.\n`,
    );
}

/** As the settings distinguish addresses. */
const folded = (email: string) => email.trim().normalize('NFC').toLowerCase();
