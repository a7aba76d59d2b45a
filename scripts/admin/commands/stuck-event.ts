import { type RetriedStuckEvents, operatedRoutes as routes, type StuckEvent } from '@frontdesk/contracts';
import { requestOf, type ServiceClient } from '@frontdesk/service';
import { Argument, type Command } from 'commander';
import { requestTo, withService } from '../clients.ts';
import { WrongInput } from '../errors.ts';
import { type CommonOptions, verb } from '../options.ts';
import { printRecord } from '../output.ts';
import { PUBLISHING_SERVICES, printOfServices, serviceOption } from '../service-lists.ts';

const COLUMNS = ['id', 'topic', 'type', 'tenant_id', 'since', 'reason'];
const SHOWN_REASON_CHARACTERS = 100;
/** A part of a long retry takes three seconds and the last event of it. */
const RETRY_TIMEOUT_MS = 30_000;

type Service = (typeof PUBLISHING_SERVICES)[number];

interface OfService extends CommonOptions {
  service: Service;
}

const idArgument = () => new Argument('<id>', 'as in the list, for example parked-12 or letter-7');

export function stuckEventCommands(program: Command): void {
  const stuck = program
    .command('stuck-event')
    .description('events that Kafka refused (parked-…), and dead letters of consumers (letter-…)');

  verb(stuck, 'list', 'stuck events, the oldest first, without their content')
    .addOption(serviceOption(PUBLISHING_SERVICES))
    .option('--limit <count>', 'so many of each service at most, up to 100', '20')
    .action(({ service, limit, json }: CommonOptions & { service?: Service; limit: string }) =>
      printOfServices({
        services: service ? [service] : PUBLISHING_SERVICES,
        json,
        columns: COLUMNS,
        inTable: inOneLine,
        list: (client) =>
          client.requestPage(requestOf(routes.listStuckEvents, { query: { per_page: limit } })),
      }),
    );

  verb(stuck, 'show', 'one with its content, personal data too')
    .addArgument(idArgument())
    .addOption(serviceOption(PUBLISHING_SERVICES).makeOptionMandatory())
    .action(async (id: string, { service, json }: OfService) => {
      const found = await requestTo(service)(routes.getStuckEvent, { id });
      printRecord({ service, ...found }, { json });
    });

  verb(stuck, 'retry', 'publish or apply again: one, or all of a service')
    .addArgument(idArgument().argOptional())
    .addOption(serviceOption(PUBLISHING_SERVICES).makeOptionMandatory())
    .option('--all', 'everything that is stuck there')
    .action(async (id: string | undefined, { service, all, json }: OfService & { all?: boolean }) => {
      if ((id === undefined) !== (all === true)) throw new WrongInput('Say either an id or --all.');
      const outcome =
        id === undefined
          ? await withService(service, retryAll)
          : await requestTo(service)(routes.retryStuckEvent, { id });
      printRecord({ service, ...outcome }, { json });
    });

  verb(stuck, 'discard', 'remove one for good: no consumer will ever get it')
    .addArgument(idArgument())
    .addOption(serviceOption(PUBLISHING_SERVICES).makeOptionMandatory())
    .option('--yes', 'it shall really be lost')
    .action(async (id: string, { service, yes, json }: OfService & { yes?: boolean }) => {
      if (!yes)
        throw new WrongInput(`${id} of ${service} would be lost for good. If that is wanted, say --yes.`);
      const outcome = await requestTo(service)(routes.discardStuckEvent, { id });
      printRecord({ service, ...outcome }, { json });
    });
}

/** A message may be wrong in many ways: `show` prints all of them. */
function inOneLine(row: StuckEvent) {
  const { reason } = row;
  if (reason.length <= SHOWN_REASON_CHARACTERS) return row;
  return { ...row, reason: `${reason.slice(0, SHOWN_REASON_CHARACTERS)}…` };
}

/** Part by part, so that no request takes long; how far it is goes to standard error, where it disturbs no script. */
async function retryAll(client: ServiceClient) {
  const sum = { retried: 0, still_stuck: 0 };
  for (let after: number | null = 0; after !== null; ) {
    const part: RetriedStuckEvents = await client.request(
      requestOf(routes.retryStuckEvents, { query: { after }, timeoutMs: RETRY_TIMEOUT_MS }),
    );
    sum.retried += part.retried;
    sum.still_stuck += part.still_stuck;
    after = part.next_after;
    if (after !== null) console.error(`${sum.retried} retried, ${sum.still_stuck} still stuck`);
  }
  return sum;
}
