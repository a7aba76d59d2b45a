import type { CallOutcome, CallSentiment, TRANSCRIPT_ROLES } from '@frontdesk/contracts';

type Role = (typeof TRANSCRIPT_ROLES)[number];

/**
 * How a call goes. `{business}`, `{name}`, `{staff}`, `{service}`, `{day}` and `{time}` stand for what the business
 * and the moment fill in.
 */
export interface CallScript {
  outcome: CallOutcome;
  /** Null: nothing was said that shows it. */
  sentiment: CallSentiment | null;
  summary: string;
  /** In turns, beginning with the agent. */
  lines: readonly string[];
}

/** One business's language: its scripts, what nobody stayed for, and how weekdays are called. */
export interface CallLanguage {
  scripts: readonly CallScript[];
  /** Calls by the agent, who reminds people of their appointment. */
  reminders: readonly CallScript[];
  greeting: string;
  locale: string;
}

const CHARACTERS_PER_SECOND = 15;
const PAUSE_SECONDS = 0.6;

interface Line {
  role: Role;
  text: string;
  start: number;
  end: number;
}

/** The lines with their blanks filled in, each for as long as it takes to say. */
export function speak(lines: readonly string[], blanks: Readonly<Record<string, string>>): Line[] {
  let at = 0;
  return lines.map((line, index) => {
    const text = line.replace(/\{(\w+)\}/g, (_, blank: string) => blanks[blank] ?? '');
    const start = at;
    const end = tenths(start + 0.5 + text.length / CHARACTERS_PER_SECOND);
    at = tenths(end + PAUSE_SECONDS);
    return { role: index % 2 === 0 ? 'agent' : 'customer', text, start, end };
  });
}

const tenths = (seconds: number) => Math.round(seconds * 10) / 10;
