import { z } from 'zod';
import { serviceInput } from '../services.ts';
import { createStaffBody } from '../staff.ts';
import { updateBookingSettingsBody } from './booking-settings.ts';
import { flagField, listOf, MAX_NAMED_RECORDS } from './business-fields.ts';
import { calendarInput } from './calendars.ts';

const { name, specialties, is_active, color } = createStaffBody.shape;

/** A staff member in a document. */
export const documentMember = z.object({
  name,
  specialties,
  /** Names of services of this business. */
  services: listOf(name, MAX_NAMED_RECORDS),
  is_active,
  /** Left out: unchanged. So is a service's category. */
  color,
  /** Left out: false with `hours`; otherwise as before, and true for new staff. */
  follows_business_hours: flagField.optional(),
  ...calendarInput.shape,
});

/**
 * A whole business as one document: what `business export` writes and `business import` reads. Records are matched by
 * name; settings, hours, exceptions and time off that are left out stay as they are.
 */
export const businessDocument = z.object({
  settings: updateBookingSettingsBody.optional(),
  /** The business's own: its hours where it has no staff, and of staff who follow them; dates with other hours; closures. */
  ...calendarInput.shape,
  services: listOf(serviceInput, MAX_NAMED_RECORDS).default([]),
  staff: listOf(documentMember, MAX_NAMED_RECORDS).default([]),
});

export type BusinessDocument = z.output<typeof businessDocument>;

/** The same with staff as they came: they are most of it, and parsed one by one, each as a `documentMember`. */
export const documentWithRawStaff = businessDocument.extend({
  staff: listOf(z.unknown(), MAX_NAMED_RECORDS).default([]),
});

const namedRecord = z.object({ id: z.int(), name: z.string() });

export type NamedRecord = z.infer<typeof namedRecord>;

/** What an import answers: the ids behind the document's names. */
export const importedBusiness = z.object({ services: z.array(namedRecord), staff: z.array(namedRecord) });

export type ImportedBusiness = z.infer<typeof importedBusiness>;
