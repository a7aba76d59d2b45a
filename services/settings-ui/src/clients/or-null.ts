import { AppError } from '@frontdesk/service';

/** What a service can't say in time is null; what it refuses is a fault of ours, and thrown. */
export const orNull = <Value>(answer: Promise<Value>) => orElse(answer, null);

/** The same for answers that may be null themselves. */
export const orUndefined = <Value>(answer: Promise<Value>) => orElse(answer, undefined);

/** The same for what people or providers name: a record that isn't there is null too. */
export const orAbsent = <Value>(answer: Promise<Value>): Promise<Value | null> =>
  orNull(answer).catch((error: unknown) => {
    if (error instanceof AppError && error.status === 404) return null;
    throw error;
  });

async function orElse<Value, Other>(answer: Promise<Value>, other: Other): Promise<Value | Other> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.status >= 500) return other;
    throw error;
  }
}
