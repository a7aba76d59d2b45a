import { setTimeout as pause } from 'node:timers/promises';
import { type Replay, webhooksRoutes as routes } from '@frontdesk/contracts';
import { requestOf, type ServiceClient } from '@frontdesk/service';
import type { Command } from 'commander';
import { requestTo, withService } from '../clients.ts';
import { WrongInput } from '../errors.ts';
import { queryOf, recordVerb, type TenantOptions, tenantVerb } from '../options.ts';
import { printRecord, printTable } from '../output.ts';

const PROGRESS_MS = 500;
const DELIVERY_COLUMNS = [
  ...['id', 'endpoint_id', 'event', 'status', 'http_status', 'attempt_count'],
  ...['next_attempt_at', 'delivered_at', 'created_at'],
];
const REPLAY_COLUMNS = [
  ...['id', 'kind', 'from', 'to', 'status', 'total', 'queued', 'skipped'],
  ...['created_at', 'finished_at'],
];
const request = requestTo('webhooks');

interface LogOptions extends TenantOptions {
  endpoint?: string;
  eventId?: string;
  event?: string;
  status?: string;
  from?: string;
  to?: string;
  limit: string;
}

interface ReplayOptions extends TenantOptions {
  failed?: boolean;
  missed?: boolean;
  from?: string;
  to?: string;
  includeDelivered?: boolean;
  wait?: boolean;
}

/** What has been sent, and what is to be sent again. */
export function deliveryCommands(webhook: Command): void {
  tenantVerb(webhook, 'deliveries', 'the delivery log, newest events first')
    .option('--endpoint <id>', 'to this endpoint')
    .option('--event-id <id>', 'of this one event, for example evt_…')
    .option('--event <name>', 'of this event')
    .option('--status <status>', 'pending, delivered, failed or cancelled')
    .option('--from <instant>', 'not before, for example 2026-01-31T09:00:00Z')
    .option('--to <instant>', 'before')
    .option('--limit <count>', 'so many at most, up to 100', '20')
    .action(async ({ tenant: tenantId, endpoint, eventId, limit, json, ...filters }: LogOptions) => {
      const query = queryOf({ per_page: limit, endpoint_id: endpoint, event_id: eventId, ...filters });
      printTable(await request(routes.listDeliveries, { tenantId, query }), DELIVERY_COLUMNS, { json });
    });

  for (const [name, description, declared] of [
    ['resend', 'send a delivery of the log once more', routes.resendDelivery],
    ['send-now', 'make the next attempt of a pending delivery at once', routes.sendNow],
  ] as const)
    recordVerb(webhook, name, description).action(
      async (id: number, { tenant: tenantId, json }: TenantOptions) => {
        printRecord(await request(declared, { tenantId, id }), { json });
      },
    );

  recordVerb(webhook, 'replay', 'send again to an endpoint: failed deliveries, or a period')
    .option('--failed', 'every delivery that failed')
    .option('--missed', 'after it was resumed: what came in while it was paused or disabled')
    .option('--from <instant>', 'events that came in from then on, also those of a pause')
    .option('--to <instant>', 'and before then; without it until now')
    .option('--include-delivered', 'also what was delivered in that time')
    .option('--wait', 'show how far it is until it is done')
    .action(async (id: number, options: ReplayOptions) => {
      const replay = await withService('webhooks', async (webhooks) => {
        const asked = requestOf(routes.createReplay, { tenantId: options.tenant, id });
        const begun = await webhooks.request({ ...asked, body: wantedOf(options) });
        return options.wait ? ended(webhooks, begun, options) : begun;
      });
      printRecord(replay, options);
    });

  recordVerb(webhook, 'replays', 'the replays of an endpoint, newest first').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      const replays = await request(routes.listReplays, { tenantId, id });
      printTable(replays, REPLAY_COLUMNS, { json });
    },
  );

  recordVerb(webhook, 'cancel-replay', 'end a replay; deliveries that it has queued are still sent').action(
    async (id: number, { tenant: tenantId, json }: TenantOptions) => {
      printRecord(await request(routes.cancelReplay, { tenantId, id }), { json });
    },
  );
}

function wantedOf({ failed, missed, from, to, includeDelivered }: ReplayOptions) {
  const kinds = [failed && 'failed', missed && 'missed', from && 'window'].filter(Boolean);
  const [kind] = kinds;
  if (kinds.length !== 1 || (to && !from))
    throw new WrongInput('Give one of --failed, --missed or --from; --to goes with --from.');
  if (kind !== 'window') return { kind };
  return { from, to: to ?? new Date().toISOString(), include_delivered: includeDelivered };
}

/** Once it is done or cancelled; until then its progress goes to standard error, where it disturbs no script. */
async function ended(webhooks: ServiceClient, begun: Replay, { tenant }: TenantOptions): Promise<Replay> {
  let replay = begun;
  while (replay.status === 'running') {
    console.error(`${replay.queued} queued, ${replay.skipped} skipped, of ${replay.total}`);
    await pause(PROGRESS_MS);
    replay = await webhooks.request(requestOf(routes.getReplay, { tenantId: tenant, id: begun.id }));
  }
  return replay;
}
