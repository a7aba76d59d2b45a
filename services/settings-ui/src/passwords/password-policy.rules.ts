import type { GuessedBy } from '@frontdesk/contracts';
import { invalid } from '@frontdesk/service';
import { GUESSED_BY_WORDS } from '../forms/fault-words.rules.ts';
import type { Estimate } from './zxcvbn.rules.ts';

/** Of zxcvbn's 0 to 4: 10¹⁰ guesses at least. */
const LOWEST_SCORE = 3;

/** By zxcvbn's warnings. */
const GUESSED_BY: Record<string, GuessedBy> = {
  userInputs: 'names',
  simpleRepeat: 'repeats',
  extendedRepeat: 'repeats',
  sequences: 'sequence',
  straightRow: 'row_of_keys',
  keyPattern: 'key_pattern',
  recentYears: 'year',
  dates: 'date',
};

export interface PasswordOwner {
  email: string;
  /** Null where the name is unknown right now. */
  business: string | null;
}

/**
 * Refuses a password that is guessed early. Its length is the contract's matter. `estimate` guesses it, with the names
 * that somebody who knows the owner tries first; here, unless it is given.
 * @throws AppError 422 on `field`
 */
export async function requireStrongPassword(
  field: string,
  password: string,
  owner: PasswordOwner,
  estimate: (password: string, names: string[]) => Promise<Estimate> = estimateHere,
): Promise<void> {
  const { score, warning } = await estimate(password, namesOf(owner));
  if (score >= LOWEST_SCORE) return;
  const why = GUESSED_BY[warning ?? ''] ?? 'common';
  const text = `The ${field} field is too easy to guess: ${GUESSED_BY_WORDS[why]}. Choose a few unrelated words.`;
  throw invalid({ [field]: [{ text, reason: 'easy_to_guess', why }] });
}

const estimateHere = async (password: string, names: string[]) =>
  (await import('./zxcvbn.rules.ts')).estimatePassword(password, names);

/** What somebody who knows the owner tries first: each name as a whole, and its words. */
function namesOf({ email, business }: PasswordOwner): string[] {
  const names = [email, email.split('@')[0] ?? '', business ?? ''];
  return names.flatMap((name) => [name, ...name.split(/[^\p{L}\p{N}]+/u)]).filter((name) => name.length > 2);
}
