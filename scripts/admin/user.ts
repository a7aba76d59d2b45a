import { adminUserSchema, removedRecord, resetLinkSchema } from '@frontdesk/contracts';
import type { Command } from 'commander';
import { withService } from './clients.ts';
import { WrongInput } from './faults.ts';
import { type TenantOptions, tenantOption, verb } from './options.ts';
import { printRecord, printTable } from './output.ts';

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

  verb(user, 'create', 'add an admin')
    .addOption(tenantOption())
    .requiredOption('--email <address>', 'what they sign in with')
    .requiredOption('--password <password>', 'at least 10 characters, hard to guess; they can change it')
    .action(async ({ tenant, json, email, password }: PasswordOptions) => {
      const created = await withService('settings-ui', (settings) =>
        settings.request({
          method: 'POST',
          path: pathOf(tenant),
          body: { email, password },
          schema: adminUserSchema,
        }),
      );
      printRecord(created, { json });
    });

  verb(user, 'list', 'every admin of a business')
    .addOption(tenantOption())
    .action(async ({ tenant, json }: TenantOptions) => {
      const admins = await withService('settings-ui', (settings) =>
        settings.request({ method: 'GET', path: pathOf(tenant), schema: adminUserSchema.array() }),
      );
      printTable(admins, COLUMNS, { json });
    });

  verb(
    user,
    'remove',
    'take an admin’s access away, also the last one’s; wherever they are signed in, they are out',
  )
    .addOption(tenantOption())
    .requiredOption('--email <address>', 'whose')
    .action(async ({ tenant, json, email }: UserOptions) => {
      const removed = await withService('settings-ui', async (settings) => {
        const path = pathOf(tenant);
        const admins = await settings.request({ method: 'GET', path, schema: adminUserSchema.array() });
        const admin = admins.find((one) => folded(one.email) === folded(email));
        if (!admin) throw new WrongInput(`Tenant ${tenant} has no admin ${email}.`);
        return settings.request({ method: 'DELETE', path: `${path}/${admin.id}`, schema: removedRecord });
      });
      printRecord(removed, { json });
    });

  verb(user, 'set-password', 'set an admin’s password; all of their sessions end')
    .addOption(tenantOption())
    .requiredOption('--email <address>', 'whose')
    .requiredOption('--password <password>', 'at least 10 characters, hard to guess')
    .action(async ({ tenant, json, email, password }: PasswordOptions) => {
      const changed = await withService('settings-ui', (settings) =>
        settings.request({
          method: 'PUT',
          path: `${pathOf(tenant)}/password`,
          body: { email, password },
          schema: adminUserSchema,
        }),
      );
      printRecord(changed, { json });
    });

  verb(user, 'reset-link', 'a link by which an admin sets a new password, once, within the hour')
    .addOption(tenantOption())
    .requiredOption('--email <address>', 'whose')
    .action(async ({ tenant, json, email }: UserOptions) => {
      const link = await withService('settings-ui', (settings) =>
        settings.request({
          method: 'POST',
          path: `${pathOf(tenant)}/reset-link`,
          body: { email },
          schema: resetLinkSchema,
        }),
      );
      printRecord(link, { json });
    });
}

/** As the settings distinguish addresses. */
const folded = (email: string) => email.trim().normalize('NFC').toLowerCase();
