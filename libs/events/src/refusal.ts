import { type DeadLetters, ImpossibleRecordError } from '@frontdesk/service';

/**
 * Does the work. @returns why what it is about can never be taken in, without quoting it; null once the work is done
 * @throws whatever else the work throws: it may pass
 */
export async function refusalBy(
  work: () => Promise<void>,
  deadLetters: Pick<DeadLetters, 'refusal'>,
): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    const reason = error instanceof ImpossibleRecordError ? error.message : deadLetters.refusal(error);
    if (reason === null) throw error;
    return reason;
  }
}
