import { adminUserSchema, removedRecord, resetLinkSchema } from '@frontdesk/contracts';
import type { Command } from 'commander';
import { requestTo } from './clients.ts';
import { WrongInput } from './faults.ts';
import { type TenantOptions, tenantVerb } from './options.ts';
import { printRecord, printTable } from './output.ts';

const request = requestTo('settings-ui');
const pathOf = (tenantId: number) => `/internal/tenants/${tenantId}/admins`;
const COLUMNS = ['id', 'email', 'last_sign_in_at', 'created_at'];

interface UserOptions extends TenantOptions {
  email: string;
}

interface PasswordOptions extends UserOptions {
  password: string;
}

export function userCommands(program: Command): void {
  const user = program.command('user').description('people who sign in to the settings of a business');

  tenantVerb(user, 'create', 'add an admin')
    .requiredOption('--email <address>', 'what they sign in with')
    .requiredOption('--password <password>', 'at least 10 characters, hard to guess; they can change it')
    .action(async ({ tenant, json, email, password }: PasswordOptions) => {
      printRecord(await request('POST', pathOf(tenant), adminUserSchema, { email, password }), { json });
    });

  tenantVerb(user, 'list', 'every admin of a business').action(async ({ tenant, json }: TenantOptions) => {
    printTable(await request('GET', pathOf(tenant), adminUserSchema.array()), COLUMNS, { json });
  });

  tenantVerb(
    user,
    'remove',
    'take an admin’s access away, also the last one’s; wherever they are signed in, they are out',
  )
    .requiredOption('--email <address>', 'whose')
    .action(async ({ tenant, json, email }: UserOptions) => {
      const admins = await request('GET', pathOf(tenant), adminUserSchema.array());
      const admin = admins.find((one) => folded(one.email) === folded(email));
      if (!admin) throw new WrongInput(`Tenant ${tenant} has no admin ${email}.`);
      printRecord(await request('DELETE', `${pathOf(tenant)}/${admin.id}`, removedRecord), { json });
    });

  tenantVerb(user, 'set-password', 'set an admin’s password; all of their sessions end')
    .requiredOption('--email <address>', 'whose')
    .requiredOption('--password <password>', 'at least 10 characters, hard to guess')
    .action(async ({ tenant, json, email, password }: PasswordOptions) => {
      const path = `${pathOf(tenant)}/password`;
      printRecord(await request('PUT', path, adminUserSchema, { email, password }), { json });
    });

  tenantVerb(user, 'reset-link', 'a link by which an admin sets a new password, once, within the hour')
    .requiredOption('--email <address>', 'whose')
    .action(async ({ tenant, json, email }: UserOptions) => {
      printRecord(await request('POST', `${pathOf(tenant)}/reset-link`, resetLinkSchema, { email }), {
        json,
      });
    });
}

/** As the settings distinguish addresses. */
const folded = (email: string) => email.trim().normalize('NFC').toLowerCase();
