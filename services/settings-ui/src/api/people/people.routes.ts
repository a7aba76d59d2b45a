import { dataOf, invitationBody, invitationMade, peopleSchema, quotasOf } from '@frontdesk/contracts';
import { type App, notFound, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findAdmin, listAdmins } from '../../data/admin.repository.ts';
import { deleteInvitation, findInvitation, listInvitations } from '../../data/invitation.repository.ts';
import { quotaUse } from '../../domain/quota-use.ts';
import { regionOf } from '../../domain/shared/region.ts';
import { adminRecord } from '../../domain/sign-in/admin.ts';
import { invitationRecord } from '../../domain/sign-in/invitation.ts';
import { inviteAdmin } from '../../use-cases/invite-admin.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { removeAdmin } from '../../use-cases/remove-admin.ts';
import { type PeoplePage, peoplePage } from '../../views/people/people.view.ts';
import { EMPTY_FORM, type FormState } from '../../views/shared/page-context.ts';
import { wantsJson } from '../shared/accept.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import type { FailurePage } from '../shared/pages.ts';
import { recordChanges } from '../shared/record-changes.ts';
import { refusedForm } from '../shared/refusals.ts';

const PEOPLE = '/settings/people';
const INVITATIONS = `${PEOPLE}/invitations`;

/** Who has access: admins and those who are invited. */
export function peopleRoutes(app: App, { database, gateway, changes, pages, settingsUrl }: AreaDeps): void {
  const people = async (tenantId: number) => {
    const scope = database.forTenant(tenantId);
    const [admins, invitations] = await Promise.all([listAdmins(scope), listInvitations(scope)]);
    return { admins: admins.map(adminRecord), invitations: invitations.map(invitationRecord) };
  };

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    left: { form?: FormState; made?: PeoplePage['made'] } = {},
  ) => {
    const { tenantId } = request;
    const [all, tenant] = await Promise.all([people(tenantId), orNull(gateway.tenant(tenantId))]);
    const quota = quotaUse('admins', tenant, all.admins.length + all.invitations.length);
    const page = { ...all, quota, region: regionOf({ tenant }), form: EMPTY_FORM, made: null, ...left };
    return pages.send(reply, peoplePage(pages.context(request), page));
  };

  const config = (resource: string, fields: readonly string[] = []) => ({
    resource,
    failurePage: ((request, reply, error) =>
      show(request, reply, { form: refusedForm(request, error, fields) })) satisfies FailurePage,
  });

  app.get(PEOPLE, { schema: { response: { 200: dataOf(peopleSchema) } } }, async (request, reply) =>
    wantsJson(request) ? ok(await people(request.tenantId)) : show(request, reply),
  );

  app.post(
    INVITATIONS,
    {
      config: { ...config('Invitation', ['email']), sentOnce: { notice: 'already-created', to: PEOPLE } },
      schema: { body: invitationBody, response: { 201: dataOf(invitationMade) } },
    },
    async (request, reply) => {
      const { tenantId, body, session } = request;
      const change = { action: 'admin_invited', subject: body.email } as const;
      const made = await changes.make(request, change, async () => {
        const { admins: allowed } = quotasOf(await gateway.tenant(tenantId));
        const invitation = { email: body.email, invitedBy: session.adminId, allowed, settingsUrl };
        return database.forTenant(tenantId).transaction((tx) => inviteAdmin(tx, invitation));
      });
      reply.code(201);
      return wantsJson(request) ? ok(made) : show(request, reply, { made });
    },
  );

  recordChanges(app, {
    ...{ changes, single: `${INVITATIONS}/:id`, config: config('Invitation') },
    subjectOf: async (tenantId, id) => {
      const invitation = await findInvitation(database.forTenant(tenantId), id);
      if (!invitation) throw notFound('Invitation');
      return invitation.email;
    },
  }).remove({
    ...{ verb: 'revoke', action: 'invitation_revoked', notice: 'invitation-revoked' },
    to: () => PEOPLE,
    work: async ({ tenantId }, id) => {
      if (!(await deleteInvitation(database.forTenant(tenantId), id))) throw notFound('Invitation');
      return { id, deleted: true };
    },
  });

  recordChanges(app, {
    ...{ changes, single: `${PEOPLE}/:id`, config: config('Admin') },
    subjectOf: async (tenantId, id) => {
      const admin = await findAdmin(database.forTenant(tenantId), id);
      if (!admin) throw notFound('Admin');
      return admin.email;
    },
  }).remove({
    ...{ verb: 'remove', action: 'admin_removed', notice: 'admin-removed' },
    to: () => PEOPLE,
    work: ({ tenantId, session }, id) =>
      database.forTenant(tenantId).transaction((tx) => removeAdmin(tx, { by: session.adminId, id })),
  });
}
