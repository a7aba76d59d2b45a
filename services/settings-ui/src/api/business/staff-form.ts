import { z } from 'zod';
import { checkedIds, fromForm, typedList, typedText } from '../../domain/business/form-values.ts';

export const STAFF_FIELDS = ['name', 'specialties', 'service_ids'];

/** A form in which no service is checked says so only by having had them to check. */
export const staffForm = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    (body) => {
      const given = Object(body) as Record<string, unknown>;
      return 'has_services' in given && !('service_ids' in given) ? { ...given, service_ids: [] } : given;
    },
    fromForm(schema, { name: typedText, specialties: typedList, service_ids: checkedIds }),
  );
