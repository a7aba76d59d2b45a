import { CALL_MESSAGE_STATUSES, callsRoutes as routes } from '@frontdesk/contracts';
import { type Command, Option } from 'commander';
import { requestTo } from '../clients.ts';
import { queryOf, recordVerb, type TenantOptions, tenantVerb } from '../options.ts';
import { printRecord, printTable } from '../output.ts';

const request = requestTo('calls');
const COLUMNS = ['id', 'source_id', 'status', 'call_id', 'content_type', 'bytes', 'received_at', 'reason'];

interface LogOptions extends TenantOptions {
  source?: string;
  status?: string;
  limit: string;
}

/** What sources have sent, and reading it again. */
export function messageCommands(source: Command): void {
  tenantVerb(source, 'messages', 'call messages, newest first')
    .option('--source <id>', 'of this source')
    .addOption(new Option('--status <status>', 'what became of it').choices(CALL_MESSAGE_STATUSES))
    .option('--limit <count>', 'so many at most, up to 100', '20')
    .action(async ({ tenant: tenantId, source: source_id, status, limit, json }: LogOptions) => {
      const query = queryOf({ per_page: limit, source_id, status });
      printTable(await request(routes.listMessages, { tenantId, query }), COLUMNS, { json });
    });

  recordVerb(source, 'show-message', 'one message, with its body').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      printRecord(await request(routes.getMessage, { tenantId, id }), { json });
    },
  );

  recordVerb(source, 'replay-message', 'read a message again, after a release that understands it').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      printRecord(await request(routes.replayMessage, { tenantId, id }), { json });
    },
  );

  recordVerb(source, 'delete-message', 'remove a message for good; what it stated about a call stays').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      printRecord(await request(routes.deleteMessage, { tenantId, id }), { json });
    },
  );
}
