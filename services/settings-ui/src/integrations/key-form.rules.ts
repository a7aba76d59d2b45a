import {
  because,
  createKeyBody,
  dateField,
  KEY_PRESETS,
  type KeyPresetName,
  MAX_KEY_NETWORKS,
  rollKeyBody,
  timeZoneField,
  updateKeyBody,
} from '@frontdesk/contracts';
import { z } from 'zod';
import { listOf, seenVersion } from '../forms/form-values.rules.ts';
import { formInto, formText } from '../forms/sent-form.rules.ts';
import { dateIn } from '../region/dates.rules.ts';

export const PRESET_NAMES = Object.keys(KEY_PRESETS) as KeyPresetName[];
/** Instead of a preset: the scopes that are ticked. */
export const OWN_CHOICE = 'own';
const CHOICES = [...PRESET_NAMES, OWN_CHOICE] as const;

/** Boxes that aren't ticked aren't sent: only what says `is_form` is taken for a form. */
const ofForm = {
  is_form: formText,
  /** On whose clocks the form's dates are. */
  shown_timezone: timeZoneField.default('UTC'),
  /** Until when the key was good as the form was drawn: the same date again changes nothing. */
  shown_expires_at: formText,
};

type SentKey = z.output<z.ZodObject<typeof ofForm, z.core.$loose>>;

/** The last second of a date on the zone's clocks. What is no date stays for the contract to refuse. */
function endOfDay(date: string, zone: string): string {
  if (!dateField.safeParse(date).success) return date;
  const next = Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(zone);
  return next.subtract({ seconds: 1 }).toInstant().toString();
}

/** The date of the form that stands for an instant. */
export const expiryDateOf = (expiresAt: string | null, zone: string): string =>
  expiresAt === null ? '' : dateIn(zone, expiresAt);

function expiryFrom({ expires_at: date, shown_expires_at: shown, shown_timezone: zone }: SentKey): unknown {
  if (typeof date !== 'string') return date;
  if (date === '') return null;
  const isUnchanged = shown !== undefined && !Number.isNaN(Date.parse(shown)) && dateIn(zone, shown) === date;
  return isUnchanged ? undefined : endOfDay(date, zone);
}

/** One on each line, or with commas between. No more than it takes to see that there are too many. */
function networksIn(text: string): string[] | null {
  const networks = text.split(/[\s,]+/, MAX_KEY_NETWORKS + 2).filter(Boolean);
  return networks.length === 0 ? null : networks;
}

/** What the contract reads. Programs send that as it is. */
function keyOf(sent: SentKey): Record<string, unknown> {
  const { is_form, shown_timezone: _, shown_expires_at: __, ...key } = sent;
  if (is_form !== 'true') return key;
  const { networks, scopes } = key;
  return {
    ...key,
    scopes: listOf(scopes),
    expires_at: expiryFrom(sent),
    networks: typeof networks === 'string' ? networksIn(networks) : networks,
  };
}

const preset = z.enum(CHOICES, `The {field} field must be one of ${PRESET_NAMES.join(', ')}.`).optional();

/** A new key. A program that names neither preset nor scopes gets what programs got before there were any. */
export const newKeyForm = z
  .looseObject({ ...ofForm, preset })
  .refine(({ is_form, preset: chosen }) => is_form !== 'true' || chosen !== undefined, {
    ...because({ reason: 'required' }, 'The {field} field is required.'),
    path: ['preset'],
  })
  .refine(
    ({ is_form, preset: chosen, scopes }) =>
      is_form === 'true' || chosen === undefined || chosen === OWN_CHOICE || scopes === undefined,
    { error: 'The {field} field must be left out beside scopes.', path: ['preset'] },
  )
  .pipe(
    z.preprocess((sent) => {
      const { preset: chosen, ...rest } = sent as SentKey & { preset?: (typeof CHOICES)[number] };
      const key = keyOf(rest);
      if (chosen === undefined) return key;
      return {
        ...key,
        scopes: chosen === OWN_CHOICE ? (key.scopes ?? []) : [...KEY_PRESETS[chosen].scopes],
      };
    }, createKeyBody),
  );

/** What is changed about a key: a form sends all of it. */
export const changedKeyForm = formInto(ofForm, updateKeyBody.extend(seenVersion), keyOf);

const WHOLE = /^\d{1,4}$/;

/** A form sends the hours as text. */
export const rollForm = formInto({}, rollKeyBody, ({ hours }) => ({
  hours: typeof hours === 'string' && WHOLE.test(hours) ? Number(hours) : hours,
}));
