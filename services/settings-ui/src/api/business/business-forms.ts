import { z } from 'zod';
import { seenVersion } from '../../domain/shared/form-values.ts';

/** A change with nothing to enter; programs may send no body at all. */
export const plainBody = z.looseObject(seenVersion);
