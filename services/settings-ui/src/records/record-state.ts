import { drawnOf, drawnText, mergeForm } from '../forms/merged-form.rules.ts';
import type { FormValues } from '../forms/sent-form.rules.ts';
import { type FormState, isSent, textOf } from '../ui/page-context.ts';

/** Converts the fields of a form to the values that a merge compares, and back. */
export interface FieldShape {
  toCompared(values: FormValues): FormValues;
  toFields(values: FormValues): FormValues;
}

const AS_IS: FieldShape = { toCompared: (values) => values, toFields: (values) => values };

const CHANGED_MEANWHILE = 'Someone else has changed this in the meantime, so your changes are not saved yet.';
const CLASH =
  `${CHANGED_MEANWHILE} Where you both changed the same field, choose which value to keep. ` +
  `Their other changes are filled in below. Then save again.`;
const MERGED = `${CHANGED_MEANWHILE} Their changes are filled in below along with yours. Check them and save again.`;
const UNTOUCHED = `${CHANGED_MEANWHILE} Check what is there now and save again.`;

interface RecordNow {
  etag: string;
  /** As the form shows it. */
  values: FormValues;
}

/**
 * The state of a form for a record: as the record is, as it was sent, or, after a conflict, both merged. `record` is
 * null where it can't be loaded.
 */
export function recordState(sent: FormState, record: RecordNow | null, shape: FieldShape = AS_IS): FormState {
  if (!isSent(sent)) return record ? { ...sent, values: { ...record.values, ...seen(record, shape) } } : sent;
  const { overtaken_version, ...entered } = sent.values;
  if (overtaken_version === undefined) {
    const version = textOf(sent, 'version') || record?.etag;
    return { ...sent, values: { ...entered, version } };
  }
  if (!record) return { ...sent, values: { ...entered, version: overtaken_version } };
  const mine = shape.toCompared(entered);
  const { values, clashes } = mergeForm({
    drawn: drawnOf(textOf(sent, 'drawn')),
    mine,
    theirs: shape.toCompared(record.values),
  });
  return {
    ...sent,
    values: { ...entered, ...shape.toFields(values), ...seen(record, shape) },
    clashes,
    message: Object.keys(clashes).length > 0 ? CLASH : isSame(values, mine) ? UNTOUCHED : MERGED,
  };
}

const isSame = (values: FormValues, others: FormValues) =>
  Object.entries(values).every(([name, value]) => listed(value) === listed(others[name]));
const listed = (value: FormValues[string]) => JSON.stringify([value ?? []].flat().toSorted());

const seen = ({ etag, values }: RecordNow, shape: FieldShape): FormValues => ({
  version: etag,
  drawn: drawnText(shape.toCompared(values)),
});
