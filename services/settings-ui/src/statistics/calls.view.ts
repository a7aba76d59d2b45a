import type { CallStatistics } from '@frontdesk/contracts';
import { barChart } from '../charts/bars.view.ts';
import { sumOf } from '../charts/chart.rules.ts';
import { dayColumns } from '../charts/columns.rules.ts';
import { SOURCES } from '../records/addresses.rules.ts';
import { UNANSWERED_WORDS } from '../records/call-words.view.ts';
import { shortDay } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { countText } from '../region/words.rules.ts';
import { parts, unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { card } from '../ui/panel.view.ts';
import { shareText } from './statistics.rules.ts';

const WEEKS_EVERY = 2;

type CallDay = CallStatistics['days'][number];

const unansweredOf = ({ unanswered = 0 }: CallDay): number => unanswered;
/** Callers whom nobody answered. */
const missedOf = (day: CallDay): number => day.missed - unansweredOf(day);

export function callsCard(context: PageContext, calls: CallStatistics | null, region: Region): Html {
  const base = { id: 'calls', title: 'Calls' };
  if (calls === null) return card({ ...base, body: unavailable('The calls') });
  const { days } = calls;
  const [all, missed, unanswered] = [
    sumOf(days, (day) => day.calls),
    sumOf(days, missedOf),
    sumOf(days, unansweredOf),
  ];
  if (all === 0)
    return card({
      ...base,
      body: html`<p class="empty">No calls in the last two weeks. ${
        mayUse(context, 'GET', SOURCES)
          ? html`<a href="${SOURCES}">Connect your phone agent</a>, and calls appear here as they end.`
          : 'They appear here as they end.'
      }</p>`,
    });
  return card({
    ...base,
    more: html`<a href="/settings/calls">All calls</a>`,
    figure: {
      value: countText(region, all),
      of: parts(
        'in two weeks',
        `${countText(region, missed)} missed (${shareText(region, missed, all)})`,
        unanswered > 0 && `${countText(region, unanswered)} outbound without answer`,
      ),
    },
    body: barChart({
      region,
      name: 'Calls by day, the last two weeks',
      columnsAre: 'Day',
      columns: dayColumns(region, days, days.length - 1),
      series: [
        { name: 'Answered', tone: 'main', values: days.map((day) => day.calls - day.missed) },
        { name: UNANSWERED_WORDS.inbound, tone: 'bad', values: days.map(missedOf) },
        ...(unanswered > 0
          ? [
              {
                name: UNANSWERED_WORDS.outbound,
                tone: 'plain' as const,
                values: days.map(unansweredOf),
              },
            ]
          : []),
      ],
      format: (value) => countText(region, value),
    }),
  });
}

export function sentimentCard(context: PageContext, calls: CallStatistics | null, region: Region): Html {
  const base = { id: 'sentiment', title: 'Caller sentiment' };
  if (calls === null) return card({ ...base, body: unavailable('The sentiment of calls') });
  const { weeks } = calls;
  const [positive, all] = [
    sumOf(weeks, (week) => week.positive),
    sumOf(weeks, (week) => week.positive + week.neutral + week.negative),
  ];
  const unknown = sumOf(weeks, (week) => week.unknown);
  if (all === 0)
    return card({
      ...base,
      body: html`<p class="empty">No calls in the last eight weeks have a sentiment. It comes with a call’s transcript${
        mayUse(context, 'GET', SOURCES) && html`: <a href="${SOURCES}">check your call sources</a>`
      }.</p>`,
    });
  return card({
    ...base,
    figure: {
      value: shareText(region, positive, all),
      of: parts(
        `positive, of ${countText(region, all)} calls in eight weeks`,
        unknown > 0 && `${countText(region, unknown)} without sentiment`,
      ),
    },
    body: barChart({
      region,
      name: 'Sentiment of calls by week, the last eight weeks',
      columnsAre: 'Week',
      columns: weeks.map(({ from }, index) => ({
        name: `From ${shortDay(region, from)}`,
        isMarked: index === weeks.length - 1,
        ...((weeks.length - 1 - index) % WEEKS_EVERY === 0 && { label: shortDay(region, from) }),
      })),
      series: [
        { name: 'Positive', tone: 'main', values: weeks.map((week) => week.positive) },
        { name: 'Neutral', tone: 'plain', values: weeks.map((week) => week.neutral) },
        { name: 'Negative', tone: 'bad', values: weeks.map((week) => week.negative) },
      ],
      format: (value) => countText(region, value),
    }),
  });
}
