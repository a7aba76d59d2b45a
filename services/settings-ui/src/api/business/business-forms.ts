import { z } from 'zod';
import { seenVersion } from '../../domain/business/calendar-forms.ts';

/** A change with nothing to enter; programs may send no body at all. */
export const plainBody = z.looseObject(seenVersion);
