import type { DeadLetter, DeadLetters } from '@frontdesk/service';

/** What a consumer sets aside, in memory, and what of its errors is a refusal. */
export function letterBox(
  refusal: DeadLetters['refusal'] = () => null,
): DeadLetters & { letters: DeadLetter[] } {
  const letters: DeadLetter[] = [];
  return {
    letters,
    async setAside(letter) {
      letters.push(letter);
    },
    refusal,
  };
}
