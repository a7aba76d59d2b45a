import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** What comes behind is not looked at: the work grows with the square of the length. */
const MAX_JUDGED = 64;

/** Its dictionaries take 30 MB, so this module is imported when the first password is judged. */
const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_JUDGED });

export interface Estimate {
  /** 0 to 4. */
  score: number;
  warning: string | null;
}

/** Guesses a password, which takes up to half a second. `names`: what somebody who knows its owner tries first. */
export function estimatePassword(password: string, names: string[]): Estimate {
  const { score, feedback } = zxcvbn.check(password, names);
  return { score, warning: feedback.warning ?? null };
}
