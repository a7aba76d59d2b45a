import { AppError } from '@frontdesk/service';

/** What a service can't say in time is null; what it refuses is a fault of ours, and thrown. */
export async function orNull<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.status >= 500) return null;
    throw error;
  }
}
