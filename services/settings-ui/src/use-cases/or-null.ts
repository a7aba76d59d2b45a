import { AppError } from '@frontdesk/service';

/** What a service can't say in time is null; what it refuses is a fault of ours, and thrown. */
export const orNull = <Value>(answer: Promise<Value>) => orElse(answer, null);

/** The same for answers that may be null themselves. */
export const orUndefined = <Value>(answer: Promise<Value>) => orElse(answer, undefined);

async function orElse<Value, Other>(answer: Promise<Value>, other: Other): Promise<Value | Other> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.status >= 500) return other;
    throw error;
  }
}
