import { eventRoutes } from '@frontdesk/contracts';
import { requestOf } from '@frontdesk/service';
import type { Command } from 'commander';
import { type CommonOptions, verb } from '../options.ts';
import { CONSUMING_SERVICES, printOfServices, serviceOption } from '../service-lists.ts';

const COLUMNS = [
  ...['id', 'consumer', 'topic', 'partition', 'from_offset', 'to_offset', 'missing'],
  ...['since', 'until', 'found_at', 'is_refilled'],
];

interface Listing extends CommonOptions {
  service?: (typeof CONSUMING_SERVICES)[number];
  limit: string;
}

export function eventGapCommands(program: Command): void {
  const gaps = program
    .command('event-gap')
    .description('events that Kafka deleted before a consumer had applied them');

  verb(gaps, 'list', 'missing events and their period, the latest gap first')
    .addOption(serviceOption(CONSUMING_SERVICES))
    .option('--limit <count>', 'so many of each service at most, up to 100', '20')
    .action(({ service, limit, json }: Listing) =>
      printOfServices({
        services: service ? [service] : CONSUMING_SERVICES,
        json,
        columns: COLUMNS,
        list: (client) =>
          client.requestPage(requestOf(eventRoutes.listEventGaps, { query: { per_page: limit } })),
      }),
    );
}
