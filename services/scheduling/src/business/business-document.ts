import {
  type BusinessDocument,
  documentMember,
  type documentWithRawStaff,
  type FieldFaults,
} from '@frontdesk/contracts';
import { invalid, parsePart, type TimeSlices, timeSlices } from '@frontdesk/service';
import type { z } from 'zod';
import { type Business, documentHead, documentStaff } from './business.rules.ts';

/** Faulty fields after which the rest isn't looked at. */
const MAX_FAULTS = 100;

/** The document with its staff parsed too, in slices. @throws AppError `validation_failed` */
export async function parsedDocument({
  staff,
  ...head
}: z.output<typeof documentWithRawStaff>): Promise<BusinessDocument> {
  const pause = timeSlices();
  const members: BusinessDocument['staff'] = [];
  const faults: FieldFaults = {};
  for (const [index, given] of staff.entries()) {
    const parsed = parsePart(documentMember, given, ['staff', index]);
    if (parsed.faults) Object.assign(faults, parsed.faults);
    else members.push(parsed.value);
    if (Object.keys(faults).length >= MAX_FAULTS) break;
    await pause();
  }
  if (Object.keys(faults).length > 0) throw invalid(faults);
  return { ...head, staff: members };
}

/** The success envelope of a business as a document: piece by piece, in slices. */
export async function* documentText(business: Business, pause: TimeSlices): AsyncGenerator<string> {
  const head = JSON.stringify(documentHead(business)).slice(0, -1);
  yield `{"success":true,"data":${head},"staff":[`;
  let separator = '';
  for (const member of documentStaff(business)) {
    yield separator + JSON.stringify(member);
    separator = ',';
    await pause();
  }
  yield ']}}';
}
