import { WEEKDAYS } from '@frontdesk/contracts';
import type { App } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hoursBody, hoursOf } from '../../domain/business/calendar-forms.ts';
import { type DraftStep, draftStepOf, PREVIEW, takeStep } from '../../domain/business/draft-steps.ts';
import { draftOfForm } from '../../domain/business/hours-draft.ts';
import { EMPTY_FORM } from '../../views/shared/page-context.ts';
import { answerChange } from '../shared/changes.ts';
import { refusedRecordForm } from '../shared/refusals.ts';
import { type CalendarRoutesDeps, calendarAnswer, ownerPath, pageOf } from './calendar-deps.ts';

/** Weekly hours. The form's buttons change what is entered; only without one is it saved. */
export function hoursRoutes(app: App, { calendars, changes, base, ownerOf, show }: CalendarRoutesDeps): void {
  const showDraft = (request: FastifyRequest, reply: FastifyReply, step: DraftStep | null) => {
    const form = { ...EMPTY_FORM, values: request.sent ?? {} };
    const entered = draftOfForm(form.values);
    const addedTo = step?.kind === 'add' ? step.day : undefined;
    return show(request, reply, {
      hours: { form, draft: step ? takeStep(entered, step) : entered, addedTo },
    });
  };

  app.post(
    `${base}/hours`,
    {
      schema: { params: ownerPath, body: hoursBody, response: { 200: calendarAnswer } },
      config: {
        resource: 'Staff member',
        failurePage: (request, reply, error) => {
          const form = refusedRecordForm(request, error, WEEKDAYS, dayOf);
          return show(request, reply, { hours: { form } });
        },
      },
    },
    async (request, reply) => {
      const { tenantId } = request;
      const step = draftStepOf(request.body.do);
      if (step || request.body.do === PREVIEW) return showDraft(request, reply, step);
      const { owner, name } = await ownerOf(request);
      const hours = hoursOf(request.body);
      const data = await changes.make(request, { action: 'hours_changed', subject: name }, () =>
        calendars.replaceHours(tenantId, owner, hours, request.body.version),
      );
      return answerChange(request, reply, { data, notice: 'hours-saved', to: pageOf(base, request) });
    },
  );
}

/** Scheduling names a stretch, `hours.monday.0`; the form has a place for each day. */
const dayOf = (name: string) => name.split('.')[1] ?? name;
