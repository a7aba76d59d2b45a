import {
  CALL_MESSAGE_STATUSES,
  callMessageSchema,
  callMessageWithBody,
  removedRecord,
} from '@frontdesk/contracts';
import { type Command, Option } from 'commander';
import { withService } from './clients.ts';
import { idArgument, queryOf, type TenantOptions, tenantOption, verb } from './options.ts';
import { printRecord, printTable } from './output.ts';

const pathOf = (tenantId: number) => `/internal/tenants/${tenantId}/call-messages`;
const COLUMNS = ['id', 'source_id', 'status', 'call_id', 'content_type', 'bytes', 'received_at', 'reason'];

interface LogOptions extends TenantOptions {
  source?: string;
  status?: string;
  limit: string;
}

/** What sources have sent, and reading it again. */
export function messageCommands(source: Command): void {
  verb(source, 'messages', 'call messages, newest first')
    .addOption(tenantOption())
    .option('--source <id>', 'of this source')
    .addOption(new Option('--status <status>', 'what became of it').choices(CALL_MESSAGE_STATUSES))
    .option('--limit <count>', 'so many at most, up to 100', '20')
    .action(async ({ tenant, source: source_id, status, limit, json }: LogOptions) => {
      const query = queryOf({ per_page: limit, source_id, status });
      const messages = await withService('calls', (calls) =>
        calls.request({
          method: 'GET',
          path: `${pathOf(tenant)}?${query}`,
          schema: callMessageSchema.array(),
        }),
      );
      printTable(messages, COLUMNS, { json });
    });

  verb(source, 'show-message', 'one message, with its body')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .action(async (id: number, { tenant, json }: TenantOptions) => {
      const message = await withService('calls', (calls) =>
        calls.request({ method: 'GET', path: `${pathOf(tenant)}/${id}`, schema: callMessageWithBody }),
      );
      printRecord(message, { json });
    });

  verb(source, 'replay-message', 'read a message again, after a release that understands it')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .action(async (id: number, { tenant, json }: TenantOptions) => {
      const message = await withService('calls', (calls) =>
        calls.request({
          method: 'POST',
          path: `${pathOf(tenant)}/${id}/replay`,
          schema: callMessageSchema,
        }),
      );
      printRecord(message, { json });
    });

  verb(source, 'delete-message', 'remove a message for good; what it stated about a call stays')
    .addArgument(idArgument())
    .addOption(tenantOption())
    .action(async (id: number, { tenant, json }: TenantOptions) => {
      const result = await withService('calls', (calls) =>
        calls.request({ method: 'DELETE', path: `${pathOf(tenant)}/${id}`, schema: removedRecord }),
      );
      printRecord(result, { json });
    });
}
