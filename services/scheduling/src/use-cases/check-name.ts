import { MAX_NAMED_RECORDS, MAX_STAFF } from '@frontdesk/contracts';
import { isConstraintViolation } from '@frontdesk/database';
import { invalid } from '@frontdesk/service';

const NAME_KEYS = ['services_name_key', 'staff_name_key'];

/** The write, whose name may be taken: the index decides, so that a race is answered the same. @throws AppError `validation_failed` */
export async function withFreeName<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (!NAME_KEYS.some((key) => isConstraintViolation(error, key))) throw error;
    throw invalid({ name: ['The name has already been taken.'] });
  }
}

const MAX_RECORDS = { services: MAX_NAMED_RECORDS, staff: MAX_STAFF };

/** @throws AppError `validation_failed` where there are as many as a business may have */
export function requireBelowBound(count: number, list: 'services' | 'staff'): void {
  if (count < MAX_RECORDS[list]) return;
  throw invalid({ name: [`A business can have at most ${MAX_RECORDS[list]} ${list}.`] });
}
