import { dataOf, pathId, queryId, staffAdminSchema, staffPictureSchema } from '@frontdesk/contracts';
import type { App, AppError } from '@frontdesk/service';
import { z } from 'zod';
import type { AreaDeps } from '../area-deps.ts';
import { answerChange } from '../changes/changes.ts';
import { recordChanges } from '../changes/record-actions.ts';
import { faultText } from '../forms/fault-words.rules.ts';
import { plainBody, seenVersion } from '../forms/form-values.rules.ts';
import { STAFF } from '../records/record-form.view.ts';
import type { By } from '../session/session.rules.ts';
import type { ErrorPage } from '../ui/pages.ts';

const SINGLE = `${STAFF}/:id` as const;
const resource = 'Staff member';

const pictureBody = z.looseObject({ ...seenVersion, picture: staffPictureSchema });

/** What is wrong with a picture, for the page that it was sent from. */
export function pictureFaultOf({ faults = {} }: AppError): string {
  const [fault] = Object.values(faults).flat();
  if (typeof fault === 'string') return fault;
  if (fault?.reason === 'required') return 'Choose a picture first.';
  if (fault?.reason === 'too_long') return 'This picture is larger than 200 KB. Choose a smaller one.';
  return faultText({ text: '', reason: 'not_picture' });
}

/** The picture of a staff member: seen by who is signed in, replaced, removed. */
export function pictureRoutes(
  app: App,
  { scheduling, changes, showError }: AreaDeps & { showError: ErrorPage },
): void {
  const { staff } = scheduling;
  const subjectOf = async (by: By, id: number) => (await staff.find(by, id)).record.name;

  app.get(
    `${SINGLE}/picture`,
    { config: { resource }, schema: { params: pathId, querystring: z.object({ v: queryId.optional() }) } },
    async ({ session: by, params, query }, reply) => {
      const { type, base64 } = await staff.picture(by, params.id);
      // Under the address of a version there is never another picture; but it is for this session's browser alone.
      if (query.v !== undefined) void reply.header('cache-control', 'private, max-age=31536000, immutable');
      return reply.type(type).send(Buffer.from(base64, 'base64'));
    },
  );

  app.post(
    `${SINGLE}/picture`,
    {
      schema: { params: pathId, body: pictureBody, response: { 200: dataOf(staffAdminSchema) } },
      config: { resource, fileField: 'picture', errorPage: showError },
    },
    async (request, reply) => {
      const { session: by, params, body } = request;
      const subject = await subjectOf(by, params.id);
      const data = await changes.make(request, { action: 'staff_picture_changed', subject }, () =>
        staff.setPicture(by, params.id, body.picture, body.version),
      );
      return answerChange(request, reply, {
        data,
        notice: 'picture-saved',
        to: `${STAFF}/${params.id}#picture`,
      });
    },
  );

  recordChanges(app, { changes, single: SINGLE, config: { resource, errorPage: showError }, subjectOf }).post(
    {
      verb: 'picture/delete',
      action: 'staff_picture_removed',
      notice: 'picture-removed',
      schema: staffAdminSchema,
      body: plainBody,
      to: (id) => `${STAFF}/${id}#picture`,
      work: ({ session: by, body }, id) => staff.removePicture(by, id, body.version),
    },
  );
}
