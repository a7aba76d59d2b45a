import {
  bookingSettings,
  dataOf,
  tenantView,
  updateBookingSettingsBody,
  updateTenantProfileBody,
} from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AreaDeps } from '../area-deps.ts';
import { answerChange } from '../changes/changes.ts';
import { orAbsent, orNull } from '../clients/or-null.ts';
import {
  fromForm,
  seenVersion,
  typedNumber,
  typedNumberOrNone,
  typedText,
} from '../forms/form-values.rules.ts';
import { formInto, formText } from '../forms/sent-form.rules.ts';
import { BUSINESS, businessPage } from '../records/record-form.view.ts';
import { wantsJson } from '../ui/accept.ts';
import { errorText, recordFormWithErrors } from '../ui/form-errors.ts';
import { html } from '../ui/html.ts';
import { EMPTY_FORM, type FormState } from '../ui/page-context.ts';
import { bookingCard } from './booking.view.ts';
import { noticeMinutes } from './notice.rules.ts';
import { profileCard } from './profile.view.ts';

const nameBody = fromForm(updateTenantProfileBody.pick({ name: true }).required().extend(seenVersion), {
  name: typedText,
});
const timezoneBody = updateTenantProfileBody.pick({ timezone: true }).required().extend(seenVersion);

const RULES = ['booking_policy', 'slot_step_minutes', 'minimum_notice_minutes', 'horizon_days'] as const;
const numbers = fromForm(updateBookingSettingsBody.extend(seenVersion), {
  slot_step_minutes: typedNumber,
  horizon_days: typedNumberOrNone,
});
/** A form states the notice in two fields: number and unit. */
const rulesBody = formInto({ notice_unit: formText }, numbers, ({ notice_unit, ...form }) => {
  if (form.minimum_notice_minutes === undefined) return form;
  const amount = typedNumber(form.minimum_notice_minutes);
  return { ...form, minimum_notice_minutes: noticeMinutes(amount, notice_unit) };
});

/** What the business is, and how it lets itself be booked. */
export function profileRoutes(app: App, { gateway, scheduling, changes, pages }: AreaDeps): void {
  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { profile = EMPTY_FORM, booking = EMPTY_FORM, refusal }: Entered = {},
  ) => {
    const [tenant, settings, policy] = await Promise.all([
      orNull(gateway.versionedTenant(request.session)),
      orNull(scheduling.settings(request.session)),
      // A process of the release before doesn't know the way.
      orAbsent(scheduling.policy(request.session)),
    ]);
    const rules = { settings, isChosen: policy?.is_chosen ?? true };
    const context = pages.context(request);
    const body = html`${profileCard(context, profile, tenant)}${bookingCard(context, booking, rules)}`;
    const lead = tenant?.record.name ?? false;
    return pages.send(
      reply,
      businessPage(context, { title: 'Business', part: BUSINESS, lead, refusal, body }),
    );
  };

  const shown = dataOf(z.object({ profile: tenantView, booking_settings: bookingSettings }));
  app.get(BUSINESS, { schema: { response: { 200: shown } } }, async (request, reply) => {
    if (!wantsJson(request)) return show(request, reply);
    const [profile, booking_settings] = await Promise.all([
      gateway.tenant(request.session),
      scheduling.settings(request.session),
    ]);
    return ok({ profile, booking_settings: booking_settings.record });
  });

  app.post(
    `${BUSINESS}/profile`,
    {
      schema: { body: nameBody, response: { 200: dataOf(tenantView) } },
      config: {
        errorPage: (request, reply, error) =>
          show(request, reply, { profile: recordFormWithErrors(request, error, ['name']) }),
      },
    },
    async (request, reply) => {
      const { session: by, body } = request;
      const { name, version } = body;
      const data = await changes.make(request, { action: 'profile_changed', subject: name }, () =>
        gateway.changeProfile(by, { name }, version),
      );
      return answerChange(request, reply, { data, notice: 'profile-saved', to: BUSINESS });
    },
  );

  app.post(
    `${BUSINESS}/timezone`,
    {
      schema: { body: timezoneBody, response: { 200: dataOf(tenantView) } },
      config: {
        errorPage: (request, reply, error) => show(request, reply, { refusal: errorText(error) }),
      },
    },
    async (request, reply) => {
      const { session: by, body } = request;
      const { timezone, version } = body;
      const data = await changes.make(request, { action: 'timezone_changed', subject: timezone }, () =>
        gateway.changeProfile(by, { timezone }, version),
      );
      return answerChange(request, reply, { data, notice: 'timezone-changed', to: BUSINESS });
    },
  );

  app.post(
    `${BUSINESS}/booking`,
    {
      schema: { body: rulesBody, response: { 200: dataOf(bookingSettings) } },
      config: {
        errorPage: (request, reply, error) =>
          show(request, reply, { booking: recordFormWithErrors(request, error, RULES) }),
      },
    },
    async (request, reply) => {
      const { version, ...rules } = request.body;
      const data = await changes.make(request, { action: 'booking_changed', subject: '' }, () =>
        scheduling.changeSettings(request.session, rules, version),
      );
      return answerChange(request, reply, { data, notice: 'booking-saved', to: `${BUSINESS}#booking` });
    },
  );
}

interface Entered {
  profile?: FormState;
  booking?: FormState;
  refusal?: string;
}
