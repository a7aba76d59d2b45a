import { tableOf } from '../output.ts';
import type { ProcessStatus, SystemStatus } from './system-status.ts';

/** One screen for people. */
export function statusScreen(status: SystemStatus): string {
  const { processes, engines, backlogs, failing_endpoints: failing, near_quotas: quotas } = status;
  return [
    `${status.checked_at}  ${status.needs_you ? 'SOMETHING NEEDS YOU: see the lines with !' : 'all is well'}`,
    tableOf(
      processes.map(({ service, address, version, up_seconds, memory_bytes, ...process }) => ({
        '': mark(process.needs_you),
        process: service,
        address,
        state: stateOf(process),
        version,
        up: up_seconds === null ? null : durationOf(up_seconds),
        memory: memory_bytes === null ? null : `${Math.round(memory_bytes / 1_048_576)} MiB`,
      })),
      ['', 'process', 'address', 'state', 'version', 'up', 'memory'],
    ),
    engines === null
      ? '! engines: unknown, as the gateway can’t be asked'
      : tableOf(
          engines.map(({ engine, is_reached, version, detail }) => ({
            '': mark(!is_reached),
            engine,
            state: is_reached ? 'reached' : 'away',
            version,
            detail,
          })),
          ['', 'engine', 'state', 'version', 'detail'],
        ),
    ...(backlogs.length > 0 ? [backlogTable(backlogs)] : []),
    failing === null
      ? '! failing endpoints: unknown, as webhooks can’t be asked'
      : failing.total === 0
        ? '  no failing endpoints'
        : `${failing.total} failing ${failing.total === 1 ? 'endpoint' : 'endpoints'}\n${tableOf(
            failing.shown,
            [...['tenant_id', 'id', 'state', 'failing_since', 'consecutive_failures', 'last_failure']],
          )}`,
    ...quotaLines(quotas),
    ...(status.faults.length > 0 ? [status.faults.map((fault) => `! ${fault}`).join('\n')] : []),
  ].join('\n\n');
}

function stateOf({
  state,
  missing,
  not_connected,
}: Pick<ProcessStatus, 'state' | 'missing' | 'not_connected'>): string {
  const whole = missing.length > 0 ? `${state}: ${missing.join(', ')}` : state;
  return not_connected.length > 0 ? `${whole}; not connected: ${not_connected.join(', ')}` : whole;
}

function quotaLines({ total, shown, unknown }: SystemStatus['near_quotas']): string[] {
  const lines: string[] = [];
  if (unknown.length > 0) lines.push(`! quotas: unknown, as ${unknown.join(', ')} can’t be asked`);
  else if (total === 0) lines.push('  no tenant near a quota');
  if (total === 0) return lines;
  const rows = shown.map((use) => ({ ...use, used: `${use.used} of ${use.allowed}` }));
  const title = `${total} ${total === 1 ? 'quota' : 'quotas'} nearly or quite used up`;
  return [...lines, `${title}\n${tableOf(rows, ['tenant_id', 'quota', 'used'])}`];
}

/** A row for each service, a column for each thing that may wait; `-` where a service has none of it. */
function backlogTable(backlogs: SystemStatus['backlogs']): string {
  const kinds = [...new Set(backlogs.map(({ what }) => what))];
  const services = [...new Set(backlogs.map(({ service }) => service))];
  const rows = services.map((service) => {
    const own = backlogs.filter((backlog) => backlog.service === service);
    const cells = own.map(({ what, waiting, unit, needs_you }) => [
      what,
      waiting === null
        ? '?'
        : `${Math.round(waiting * 10) / 10}${unit === 's' ? ' s' : ''}${needs_you ? ' !' : ''}`,
    ]);
    return {
      '': mark(own.some(({ needs_you }) => needs_you)),
      waiting: service,
      ...Object.fromEntries(cells),
    };
  });
  return tableOf(rows, ['', 'waiting', ...kinds]);
}

const mark = (needsYou: boolean) => (needsYou ? '!' : ' ');

function durationOf(seconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min` : `${seconds} s`;
}
