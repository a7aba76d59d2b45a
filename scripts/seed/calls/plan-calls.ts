import type { CallDirection, CallOutcome, CallSentiment, Utterance } from '@frontdesk/contracts';
import { parsePhone } from '@frontdesk/phone';
import { demoCustomers } from '../customers.ts';
import type { DemoBusiness } from '../demo-business.ts';
import { createRandom, type Random } from '../random.ts';
import { type CallLanguage, type CallScript, speak } from './script.ts';

/** A call as the provider `generic` reports it. */
export interface PlannedCall {
  provider_call_id: string;
  direction: CallDirection;
  from_number: string;
  to_number: string;
  started_at: string;
  ended_at: string;
  outcome: CallOutcome;
  sentiment?: CallSentiment;
  quality_score?: number;
  summary?: string;
  transcript: Utterance[];
}

const DAYS_BACK = 56;
/** Calls of a day, at most. */
const BUSIEST = 5;
const FIRST_HOUR = 8;
const HOURS = 11;
const QUALITY_FROM: Record<CallSentiment, number> = { positive: 82, neutral: 70, negative: 45 };

interface Caller {
  name: string;
  number: string;
}

interface Setting {
  business: DemoBusiness;
  random: Random;
  callers: readonly Caller[];
}

/** Eight weeks of calls up to yesterday: always the same for a business and a day, each with an id of its own. */
export function planCalls(business: DemoBusiness, today: Temporal.PlainDate): PlannedCall[] {
  const random = createRandom(business.seed + 2);
  const callers = demoCustomers(business).map(({ name, phone }) => ({
    name,
    number: parsePhone(phone, business.tenant.country)?.e164 ?? phone,
  }));
  const setting = { business, random, callers };
  const planned: PlannedCall[] = [];
  for (let day = -DAYS_BACK; day < 0; day += 1) {
    const date = today.add({ days: day });
    for (let left = random.below(BUSIEST + 1); left > 0; left -= 1) {
      planned.push(planCall(setting, date, planned.length + 1));
    }
  }
  return planned;
}

function planCall(setting: Setting, date: Temporal.PlainDate, nth: number): PlannedCall {
  const { business, random } = setting;
  const { language, line, strangers } = business.phone;
  const startedAt = date.toZonedDateTime({
    timeZone: business.tenant.timezone,
    plainTime: Temporal.PlainTime.from({
      hour: FIRST_HOUR + random.below(HOURS),
      minute: random.below(60),
      second: random.below(60),
    }),
  });
  const isMissed = random.chance(0.15);
  const isReminder = !isMissed && random.chance(0.2);
  const isStranger = !isReminder && random.chance(0.15);
  const caller = isStranger ? { name: '', number: random.pick(strangers) } : random.pick(setting.callers);
  const ids = { provider_call_id: `demo-${business.seed}-${nth}` };
  const numbers = isReminder
    ? ({ direction: 'outbound', from_number: line, to_number: caller.number } as const)
    : ({ direction: 'inbound', from_number: caller.number, to_number: line } as const);

  const course = isMissed
    ? missed(setting, language)
    : converse(setting, random.pick(scriptsFor(language, isReminder, isStranger)), {
        caller,
        date,
        language,
      });
  const { seconds, ...stated } = course;
  const at = (instant: Temporal.ZonedDateTime) =>
    instant.toString({ timeZoneName: 'never', smallestUnit: 'second' });
  const ends = { started_at: at(startedAt), ended_at: at(startedAt.add({ seconds })) };
  return { ...ids, ...numbers, ...ends, ...stated };
}

/** Somebody who isn't known has no appointment to talk about, and is not called by name. */
function scriptsFor({ scripts, reminders }: CallLanguage, isReminder: boolean, isStranger: boolean) {
  if (isReminder) return reminders;
  return isStranger ? scripts.filter(({ lines }) => !lines.join().includes('{name}')) : scripts;
}

function converse(
  { business, random }: Setting,
  script: CallScript,
  { caller, date, language }: { caller: Caller; date: Temporal.PlainDate; language: CallLanguage },
) {
  const staff = random.pick(business.document.staff);
  const blanks = {
    business: business.tenant.name,
    name: caller.name,
    staff: staff.name,
    service: random.pick(staff.services),
    day: date.add({ days: 1 + random.below(6) }).toLocaleString(language.locale, { weekday: 'long' }),
    time: `${9 + random.below(8)}:${random.pick(['00', '15', '30', '45'])}`,
  };
  const transcript = speak(script.lines, blanks);
  const [summary] = speak([script.summary], blanks);
  return {
    outcome: script.outcome,
    ...(script.sentiment && {
      sentiment: script.sentiment,
      quality_score: QUALITY_FROM[script.sentiment] + random.below(17),
    }),
    summary: summary?.text ?? '',
    transcript,
    seconds: Math.ceil(transcript.at(-1)?.end ?? 0) + 1 + random.below(3),
  };
}

/** Gone before a word, or while the agent still greets. */
function missed({ business, random }: Setting, language: CallLanguage) {
  const isConnected = random.chance(0.5);
  const transcript = isConnected ? speak([language.greeting], { business: business.tenant.name }) : [];
  const outcome: CallOutcome = isConnected || random.chance(0.7) ? 'no_answer' : 'failed';
  return { outcome, transcript, seconds: isConnected ? 6 + random.below(8) : 0 };
}
