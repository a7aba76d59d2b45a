import { invalid } from '@frontdesk/service';

/** Of zxcvbn's 0 to 4: 10¹⁰ guesses at least. */
const LOWEST_SCORE = 3;

const REASONS: Record<string, string> = {
  userInputs: 'it is made of your email address or the name of the business',
  simpleRepeat: 'it repeats itself',
  extendedRepeat: 'it repeats itself',
  sequences: 'it is a sequence',
  straightRow: 'it is a row of keys',
  keyPattern: 'it is a pattern of keys',
  recentYears: 'it is made of a year',
  dates: 'it is made of a date',
};
const COMMON = 'it is similar to a common password';

export interface PasswordOwner {
  email: string;
  /** Null where the name is unknown right now. */
  business: string | null;
}

/**
 * Refuses a password that is guessed early. Its length is the contract's matter.
 * @throws AppError 422 on `field`
 */
export async function requireStrongPassword(
  field: string,
  password: string,
  owner: PasswordOwner,
): Promise<void> {
  const { zxcvbn } = await import('./zxcvbn.ts');
  const { score, feedback } = zxcvbn.check(password, namesOf(owner));
  if (score >= LOWEST_SCORE) return;
  const reason = REASONS[feedback.warning ?? ''] ?? COMMON;
  throw invalid({
    [field]: [`The ${field} field is too easy to guess: ${reason}. Choose a few unrelated words.`],
  });
}

/** What somebody who knows the owner tries first: each name as a whole, and its words. */
function namesOf({ email, business }: PasswordOwner): string[] {
  const names = [email, email.split('@')[0] ?? '', business ?? ''];
  return names.flatMap((name) => [name, ...name.split(/[^\p{L}\p{N}]+/u)]).filter((name) => name.length > 2);
}
