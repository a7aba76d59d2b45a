import { CALL_OUTCOMES, CALL_SENTIMENTS } from '@frontdesk/contracts';
import type { CallFacts } from './call-provider.rules.ts';
import { at, known, readOneOf, readScore } from './reading.rules.ts';

/**
 * Data that an agent extracts from its calls, under our own names: providers pass such data through untouched, so
 * that a tenant can have `outcome`, `sentiment`, `quality_score` and `appointment_id` filled by any of them.
 */
export function factsOfExtracted(extracted: unknown): CallFacts {
  const appointmentId = at(extracted, 'appointment_id');
  return known({
    outcome: readOneOf(CALL_OUTCOMES, at(extracted, 'outcome')),
    sentiment: readOneOf(CALL_SENTIMENTS, at(extracted, 'sentiment')),
    qualityScore: readScore(at(extracted, 'quality_score')),
    appointmentId:
      Number.isSafeInteger(appointmentId) && Number(appointmentId) > 0 ? Number(appointmentId) : undefined,
  });
}
