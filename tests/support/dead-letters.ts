import type { DeadLetter, DeadLetters } from '@frontdesk/service';

/** Collects the dead letters of a consumer in memory. `refusal` says which of its errors are final. */
export function collectDeadLetters(
  refusal: DeadLetters['refusal'] = () => null,
): DeadLetters & { collected: DeadLetter[] } {
  const collected: DeadLetter[] = [];
  return {
    collected,
    async setAside(deadLetter) {
      collected.push(deadLetter);
    },
    refusal,
  };
}
