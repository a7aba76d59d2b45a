import type { DeadLetter, DeadLetters } from '@frontdesk/service';

/** What a consumer sets aside, in memory. */
export function letterBox(): DeadLetters & { letters: DeadLetter[] } {
  const letters: DeadLetter[] = [];
  return {
    letters,
    async setAside(letter) {
      letters.push(letter);
    },
  };
}
