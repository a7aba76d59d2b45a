import type { z } from 'zod';
import {
  checkedIds,
  fromForm,
  typedFlag,
  typedList,
  typedText,
  typedTextOrNone,
} from '../forms/form-values.rules.ts';
import { formInto, formText } from '../forms/sent-form.rules.ts';

export const STAFF_FIELDS = ['name', 'specialties', 'service_ids', 'follows_business_hours', 'color'];

/** A form in which no service is checked says so only by having had them to check. */
export const staffForm = <Schema extends z.ZodType>(schema: Schema) =>
  formInto(
    { has_services: formText },
    fromForm(schema, {
      name: typedText,
      specialties: typedList,
      service_ids: checkedIds,
      color: typedTextOrNone,
      follows_business_hours: typedFlag,
    }),
    ({ service_ids, has_services, ...form }) => ({
      ...form,
      ...(service_ids !== undefined && { service_ids }),
      ...(service_ids === undefined && has_services !== undefined && { service_ids: [] }),
    }),
  );
