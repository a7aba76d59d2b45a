import type { BookingSettingsRecord } from '@frontdesk/contracts';
import type { Versioned } from '@frontdesk/service';
import { typedNumber } from '../forms/form-values.rules.ts';
import { BUSINESS, recordForm } from '../records/record-form.view.ts';
import { type FieldShape, recordState } from '../records/record-state.ts';
import { durationText } from '../region/words.rules.ts';
import { unavailable } from '../ui/controls.view.ts';
import { clashChoice, numberInput, radioGroup, selectInput } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { type FormState, isSent, type PageContext, textOf } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { noticeMinutes, noticeOf } from './notice.rules.ts';

type VersionedSettings = Versioned<BookingSettingsRecord>;

const POLICIES = [
  {
    value: 'slots_only',
    label: 'Only at offered times',
    hint:
      'Hours, start times, notice and how far ahead apply to every booking, ' +
      'including those from your website and from calls. ' +
      'Nobody can book a time at night, on a closed day or in the past.',
  },
  {
    value: 'open',
    label: 'At any free time',
    hint:
      'Only a time that is taken is refused. ' +
      'Offered times follow the rules, but a booking may fall outside them: at night, on a closed day, in the past. ' +
      'Choose this if another system makes the bookings and sends them here.',
  },
];
const NOT_CHOSEN = 'You haven’t chosen yet. Until you save a choice, any free time can be booked.';
const STEPS = [5, 10, 15, 20, 30, 45, 60, 90, 120];
const UNITS = [
  { value: 'minutes', label: 'minutes' },
  { value: 'hours', label: 'hours' },
  { value: 'days', label: 'days' },
];

interface BookingRules {
  settings: VersionedSettings | null;
  /** Whether the business has chosen its policy itself. */
  isChosen: boolean;
}

/** How the business lets itself be booked. */
export const bookingCard = (
  context: PageContext,
  form: FormState,
  { settings, isChosen }: BookingRules,
): Html =>
  panel({
    id: 'booking',
    isPlace: true,
    title: 'Booking rules',
    body: html`<p>How appointments can be booked from now on. Existing appointments stay as they are.
Buffers between appointments are set for each service.</p>
${settings === null && unavailable('The booking rules')}${
  (settings !== null || isSent(form)) && rules(context, form, { settings, isChosen })
}`,
  });

const valuesOf = (settings: BookingSettingsRecord): FormState['values'] => {
  const { amount, unit } = noticeOf(settings.minimum_notice_minutes);
  return {
    booking_policy: settings.booking_policy,
    slot_step_minutes: String(settings.slot_step_minutes),
    minimum_notice_minutes: String(amount),
    notice_unit: unit,
    horizon_days: settings.horizon_days === null ? '' : String(settings.horizon_days),
  };
};

/** A notice is compared as a whole, in minutes: a number without its unit says nothing. */
const NOTICE: FieldShape = {
  toCompared: ({ notice_unit, ...values }) => {
    const amount = typedNumber([values.minimum_notice_minutes].flat()[0]);
    const minutes = noticeMinutes(amount, [notice_unit].flat()[0]);
    return { ...values, minimum_notice_minutes: String(minutes) };
  },
  toFields: (values) => {
    const { amount, unit } = noticeOf(Number(values.minimum_notice_minutes));
    return { ...values, minimum_notice_minutes: String(amount), notice_unit: unit };
  },
};

/** As they are, or as somebody has sent them. */
function rules(context: PageContext, sent: FormState, { settings, isChosen }: BookingRules): Html {
  const now = settings && { etag: settings.etag, values: valuesOf(settings.record) };
  const form = recordState(sent, now, NOTICE);
  const ownStep = settings?.record.slot_step_minutes ?? Number(textOf(form, 'slot_step_minutes'));
  const steps = [...new Set([...STEPS, ...(ownStep > 0 ? [ownStep] : [])])].sort((a, b) => a - b);
  return recordForm(context, form, {
    action: `${BUSINESS}/booking`,
    id: 'booking-form',
    isRecord: true,
    record: 'booking',
    submit: 'Save booking rules',
    body: html`${radioGroup(form, {
      name: 'booking_policy',
      label: 'Appointments can be booked',
      hint: !isChosen && NOT_CHOSEN,
      choices: POLICIES,
    })}
<div class="fields">
${selectInput(form, {
  name: 'slot_step_minutes',
  label: 'Offer a start every',
  choices: steps.map((step) => ({ value: String(step), label: durationText(step) })),
})}
${noticeField(form)}
${numberInput(form, {
  name: 'horizon_days',
  label: 'Days bookable ahead',
  isOptional: true,
  placeholder: 'No limit',
})}</div>`,
  });
}

const NOTICE_FIELD = { name: 'minimum_notice_minutes', label: 'Minimum notice' };

function noticeField(form: FormState): Html {
  const choice = clashChoice(form, NOTICE_FIELD, (minutes) => durationText(Number(minutes)));
  if (choice) return html`${choice}<input type="hidden" name="notice_unit" value="minutes">`;
  return html`<div class="with-unit">${numberInput(form, NOTICE_FIELD)}
${selectInput(form, {
  name: 'notice_unit',
  label: html`<span class="for-reader">Unit of the minimum notice</span>`,
  choices: UNITS,
})}</div>`;
}
