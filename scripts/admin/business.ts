import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { importedBusiness } from '@frontdesk/contracts';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { withService } from './clients.ts';
import { WrongInput } from './faults.ts';
import { type TenantOptions, tenantOption, verb } from './options.ts';
import { printRecord } from './output.ts';

export function businessCommands(program: Command): void {
  const business = program.command('business').description('what a business offers, when, and by whom');

  verb(business, 'import <file>', 'add or change services, staff and hours, matched by name')
    .addOption(tenantOption())
    .addHelpText('after', '\nFILE is JSON or YAML with hours, services and staff; - reads standard input.')
    .action(async (file: string, { tenant, json }: TenantOptions) => {
      const body = await readDocument(file);
      const result = await withService('scheduling', (scheduling) =>
        scheduling.request({
          method: 'PUT',
          path: `/internal/tenants/${tenant}/business`,
          body,
          schema: importedBusiness,
        }),
      );
      if (json) return printRecord(result, { json });
      printRecord({ services: listed(result.services), staff: listed(result.staff) }, {});
    });
}

const listed = (rows: { id: number; name: string }[]) => rows.map(({ id, name }) => `${name} (${id})`);

/** JSON is YAML, so one parser reads both. @throws WrongInput where there is no file or no document in it. */
async function readDocument(file: string): Promise<object> {
  const content = await readContent(file);
  const document = parseContent(file, content);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new WrongInput(`${file} holds no business: expected an object with hours, services and staff.`);
  }
  return document;
}

async function readContent(file: string): Promise<string> {
  try {
    return file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new WrongInput(`${file} can't be read: ${(error as Error).message}`, { cause: error });
  }
}

function parseContent(file: string, content: string): unknown {
  try {
    return parse(content);
  } catch (error) {
    const [firstLine] = (error as Error).message.split('\n');
    throw new WrongInput(`${file} is neither JSON nor YAML: ${firstLine}`, { cause: error });
  }
}
