import type { TimeSpan } from '@frontdesk/contracts';
import { WEEKDAYS } from '@frontdesk/contracts';
import { clockOf, minutesOf } from '../region/minutes.rules.ts';
import type { DraftWeek, Weekday } from './hours-draft.rules.ts';

const BREAK_MINUTES = 30;
const STEP_MINUTES = 15;
const SHORTEST_TO_SPLIT = BREAK_MINUTES + 2 * STEP_MINUTES;
const USUAL_DAY: TimeSpan = { start: '09:00', end: '17:00' };

/** What a button of the hours' form does with what is entered, before any of it is saved. */
export interface DraftStep {
  kind: 'add' | 'break' | 'drop' | 'copy-weekdays' | 'copy-all';
  day: Weekday;
  index: number;
}

/** Asks for the picture of what is entered, and changes nothing. */
export const PREVIEW = 'preview';

const STEP = new RegExp(`^(add|break|drop|copy-weekdays|copy-all):(${WEEKDAYS.join('|')})(?::(\\d{1,3}))?$`);

/** The step that a button's value names; null where the form is to be saved. */
export function draftStepOf(value: unknown): DraftStep | null {
  const match = typeof value === 'string' ? STEP.exec(value) : null;
  if (!match) return null;
  return {
    kind: match[1] as DraftStep['kind'],
    day: match[2] as Weekday,
    index: Number(match[3] ?? 0),
  };
}

export function takeStep(draft: DraftWeek, { kind, day, index }: DraftStep): DraftWeek {
  const spans = draft[day];
  switch (kind) {
    case 'add':
      return { ...draft, [day]: [...spans, spans.length === 0 ? USUAL_DAY : { start: '', end: '' }] };
    case 'break':
      return { ...draft, [day]: withBreak(spans) };
    case 'drop':
      return { ...draft, [day]: spans.filter((_span, at) => at !== index) };
    case 'copy-weekdays':
      return copied(draft, day, WEEKDAYS.slice(0, 5));
    case 'copy-all':
      return copied(draft, day, WEEKDAYS);
  }
}

const copied = (draft: DraftWeek, from: Weekday, days: readonly Weekday[]): DraftWeek => ({
  ...draft,
  ...Object.fromEntries(days.map((day) => [day, draft[from]])),
});

/** The longest stretch with half an hour's break in its middle, to begin with. */
function withBreak(spans: TimeSpan[]): TimeSpan[] {
  const lengths = spans.map(lengthOf);
  const longest = Math.max(0, ...lengths);
  if (longest < SHORTEST_TO_SPLIT) return spans;
  const index = lengths.indexOf(longest);
  const { start, end } = spans[index] as TimeSpan;
  const middle = minutesOf(start) + (longest - BREAK_MINUTES) / 2;
  const begin = Math.round(middle / STEP_MINUTES) * STEP_MINUTES;
  return spans.toSpliced(
    index,
    1,
    { start, end: clockOf(begin) },
    { start: clockOf(begin + BREAK_MINUTES), end },
  );
}

function lengthOf({ start, end }: TimeSpan): number {
  if (start === '' || end === '') return 0;
  return minutesOf(end === '00:00' ? '24:00' : end) - minutesOf(start);
}
