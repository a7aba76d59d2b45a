import type { ListPage, ServiceClient } from '@frontdesk/service';
import { Option } from 'commander';
import { withService } from './clients.ts';
import { printTable } from './output.ts';

export const CONSUMING_SERVICES = ['scheduling', 'crm', 'calls', 'webhooks'] as const;
export const PUBLISHING_SERVICES = ['gateway', ...CONSUMING_SERVICES] as const;
type EventService = (typeof PUBLISHING_SERVICES)[number];

export const serviceOption = (services: readonly EventService[]) =>
  new Option('--service <name>', 'whose it is').choices(services);

/**
 * Prints a list that several services have as one, with a column for the service. What the limit leaves out of one service's is
 * said on standard error.
 * @throws where a service can't be reached, once the lists of the others are printed
 */
export async function printOfServices<Row extends Record<string, unknown>>(options: {
  services: readonly EventService[];
  list: (client: ServiceClient) => Promise<ListPage<Row[]>>;
  columns: string[];
  json: boolean | undefined;
  /** What of it the table shows. */
  inTable?: (row: NoInfer<Row>) => Row;
}): Promise<void> {
  const { services, list, columns, json, inTable = (row: Row) => row } = options;
  const listOf = async (name: EventService) => {
    const found = await withService(name, list);
    const unseen = found.total - found.rows.length;
    if (unseen > 0) console.error(`${name} has ${unseen} more.`);
    return found.rows.map((row) => ({ service: name, ...(json ? row : inTable(row)) }));
  };
  const answers = await Promise.allSettled(services.map(listOf));
  const rows = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  printTable(rows, ['service', ...columns], { json });
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
}
