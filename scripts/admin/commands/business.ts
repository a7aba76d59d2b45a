import { readFile, writeFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { type ImportedBusiness, type NamedRecord, schedulingRoutes } from '@frontdesk/contracts';
import { requestOf, type ServiceClient } from '@frontdesk/service';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { requestTo, withService } from '../clients.ts';
import { WrongInput } from '../errors.ts';
import { type TenantOptions, tenantVerb } from '../options.ts';
import { printRecord } from '../output.ts';
import { portionsOf } from './business-portions.ts';
import { businessYaml } from './business-yaml.ts';
import { warnOfUnknownKeys } from './unknown-keys.ts';

const IMPORT_HELP = `
FILE is YAML or JSON, - reads standard input. It may hold settings, hours, breaks, exceptions, time_off, services and
staff (each with hours, breaks, exceptions and time_off of their own); business export writes such a file.

  Services and staff are matched by name; whom the file doesn't name stays as they are.
  Settings, hours, exceptions and time_off that are left out stay as they are; a list that is given replaces all there was.
  Keys that are no field of a business are ignored, with a warning.
  All of it is done, or nothing; of a file beyond 3 MB, portion by portion of its staff. It may be imported again.`;

const EXPORT_HELP = `
Writes everything to FILE, or to standard output: what is inactive too, what was deleted not. YAML; with --json, JSON.
Importing the file into another, empty business makes a copy of this one.`;

export function businessCommands(program: Command): void {
  const business = program
    .command('business')
    .description('the setup of a business: settings, services, staff and calendars');

  tenantVerb(business, 'import <file>', 'bring settings, services, staff and calendars to what a file says')
    .addHelpText('after', IMPORT_HELP)
    .action(async (file: string, { tenant, json }: TenantOptions) => {
      const body = await readBusinessFile(file);
      warnOfUnknownKeys(body);
      const result = await withService('scheduling', (scheduling) => imported(scheduling, tenant, body));
      if (json) return printRecord(result, { json });
      printRecord({ services: listed(result.services), staff: listed(result.staff) }, {});
    });

  tenantVerb(business, 'export [file]', 'write the whole setup of a business, as import reads it')
    .addHelpText('after', EXPORT_HELP)
    .action(async (file: string | undefined, { tenant, json }: TenantOptions) => {
      const document = await requestTo('scheduling')(schedulingRoutes.exportBusiness, { tenantId: tenant });
      const content = json ? `${JSON.stringify(document, null, 2)}\n` : businessYaml(document);
      if (file === undefined || file === '-') process.stdout.write(content);
      else await writeBusinessFile(file, content);
    });
}

async function imported(
  scheduling: ServiceClient,
  tenantId: number,
  document: object,
): Promise<ImportedBusiness> {
  const all: ImportedBusiness = { services: [], staff: [] };
  for (const { body, staff } of portionsOf(document)) {
    try {
      const asked = requestOf(schedulingRoutes.importBusiness, { tenantId });
      const { services, staff: members } = await scheduling.request({ ...asked, body });
      all.services.push(...services);
      all.staff.push(...members);
      if (staff) console.error(`${staff[1]} staff of the file are imported`);
    } catch (error) {
      if (staff)
        console.error(
          `What follows is of the staff ${staff.join(' to ')} of the file; those before are imported.`,
        );
      throw error;
    }
  }
  return all;
}

const listed = (rows: NamedRecord[]) => rows.map(({ id, name }) => `${name} (${id})`);

/** JSON is YAML, so one parser reads both. @throws WrongInput where there is no file or no document in it. */
async function readBusinessFile(file: string): Promise<object> {
  const content = await readContent(file);
  const document = parseContent(file, content);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new WrongInput(`${file} holds no business: expected an object with hours, services and staff.`);
  }
  return document;
}

/** @throws WrongInput where the file can't be written */
async function writeBusinessFile(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (error) {
    throw new WrongInput(`${file} can't be written: ${(error as Error).message}`, { cause: error });
  }
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
