import {
  type AdminUser,
  adminUserSchema,
  changeRoleBody,
  dataOf,
  emailSent,
  invitationBody,
  invitationMade,
  type MemberRole,
  peopleSchema,
  quotasOf,
  type RemovedRecord,
  ROLE_SCOPES,
} from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { type App, invalid, notFound, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { adminRecord, type Member } from '../accounts/account.rules.ts';
import { deleteInvitation, findInvitation, listInvitations } from '../accounts/invitation.repository.ts';
import { invitationRecord } from '../accounts/invitation.rules.ts';
import {
  deleteMember,
  findMember,
  listMembers,
  listOwners,
  lockMembers,
} from '../accounts/membership.repository.ts';
import type { AreaDeps } from '../area-deps.ts';
import { answerChange } from '../changes/changes.ts';
import { recordChanges } from '../changes/record-actions.ts';
import { orNull } from '../clients/or-null.ts';
import { countWaitingEmails } from '../mail/email-list.repository.ts';
import type { MailLimits } from '../mail/mail-limits.ts';
import { quotaUse } from '../records/quota-use.rules.ts';
import { regionOf } from '../region/region.rules.ts';
import { notSignedIn } from '../session/session.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { formWithErrors } from '../ui/form-errors.ts';
import { TODAY } from '../ui/navigation.rules.ts';
import { EMPTY_FORM, type FormState } from '../ui/page-context.ts';
import { mayUse, notOfRole } from '../ui/page-scopes.rules.ts';
import type { ErrorPage } from '../ui/pages.ts';
import { giveRole } from './give-role.ts';
import { inviteAdmin, sendInvitationAgain } from './invite-admin.ts';
import { peoplePage } from './people.view.ts';

const PEOPLE = '/settings/people';
const INVITATIONS = `${PEOPLE}/invitations`;

interface PeopleDeps {
  mailLimits: MailLimits;
  /** Whether there is a mail server; without one emails stay here. */
  isMailSent: boolean;
}

/** Who has access: admins and those who are invited. */
export function peopleRoutes(
  app: App,
  { database, gateway, changes, pages, mailLimits, isMailSent }: AreaDeps & PeopleDeps,
): void {
  const people = async (tenantId: number) => {
    const scope = database.forTenant(tenantId);
    const [admins, invitations] = await Promise.all([listMembers(scope), listInvitations(scope)]);
    return { admins: admins.map(adminRecord), invitations: invitations.map(invitationRecord) };
  };

  const show = async (request: FastifyRequest, reply: FastifyReply, left: { form?: FormState } = {}) => {
    const { tenantId } = request;
    const [all, tenant, waiting] = await Promise.all([
      people(tenantId),
      orNull(gateway.tenant({ tenantId })),
      countWaitingEmails(database.forTenant(tenantId)),
    ]);
    const waitingEmails = { count: waiting, isSending: isMailSent };
    const quota = quotaUse('admins', tenant, all.admins.length + all.invitations.length);
    const page = { ...all, quota, region: regionOf({ tenant }), form: EMPTY_FORM, waitingEmails, ...left };
    return pages.send(reply, peoplePage(pages.context(request), page));
  };

  const config = (resource: string, fields: readonly string[] = []) => ({
    resource,
    needsConfirmation: true,
    errorPage: ((request, reply, error) =>
      show(request, reply, { form: formWithErrors(request, error, fields) })) satisfies ErrorPage,
  });

  app.get(PEOPLE, { schema: { response: { 200: dataOf(peopleSchema) } } }, async (request, reply) =>
    wantsJson(request) ? ok(await people(request.tenantId)) : show(request, reply),
  );

  app.post(
    INVITATIONS,
    {
      config: {
        ...config('Invitation', ['email', 'role']),
        sentOnce: { notice: 'already-invited', to: PEOPLE },
      },
      schema: { body: invitationBody, response: { 201: dataOf(invitationMade) } },
    },
    async (request, reply) => {
      const { tenantId, body, session } = request;
      const change = { action: 'admin_invited', subject: `${body.email}, ${body.role}` } as const;
      const { membershipId: invitedBy } = session;
      const data = await mailLimits.countOfSender(session, () =>
        changes.make(request, change, async () => {
          const { admins: allowed } = quotasOf(await gateway.tenant({ tenantId }));
          const invitation = { ...body, invitedBy, allowed };
          return inviteAdmin({ scope: database.forTenant(tenantId), mailLimits }, invitation);
        }),
      );
      reply.code(201);
      return answerChange(request, reply, { data, notice: 'invitation-sent', to: PEOPLE });
    },
  );

  const invitations = recordChanges(app, {
    changes,
    single: `${INVITATIONS}/:id`,
    config: config('Invitation'),
    subjectOf: async (by, id) => {
      const invitation = await findInvitation(database.forTenant(by.tenantId), id);
      if (!invitation) throw notFound('Invitation');
      return invitation.email;
    },
  });

  invitations.post({
    verb: 'send-again',
    action: 'invitation_sent_again',
    notice: 'invitation-sent',
    to: () => PEOPLE,
    schema: emailSent,
    work: ({ tenantId, session }, id) =>
      mailLimits.countOfSender(session, async () => {
        await sendInvitationAgain({ scope: database.forTenant(tenantId), mailLimits }, id);
        return { sent: true as const };
      }),
  });

  invitations.remove({
    verb: 'revoke',
    action: 'invitation_revoked',
    isAlwaysMade: true,
    notice: 'invitation-revoked',
    to: () => PEOPLE,
    work: async ({ tenantId }, id) => {
      if (!(await deleteInvitation(database.forTenant(tenantId), id))) throw notFound('Invitation');
      return { id, deleted: true };
    },
  });

  const members = recordChanges(app, {
    changes,
    single: `${PEOPLE}/:id`,
    config: config('Admin'),
    subjectOf: async (by, id) => {
      const admin = await findMember(database.forTenant(by.tenantId), id);
      if (!admin) throw notFound('Admin');
      return admin.email;
    },
  });

  members.post({
    verb: 'role',
    action: 'role_changed',
    detailOf: ({ role }) => role,
    isAlwaysMade: true,
    notice: 'role-changed',
    // A former owner can't see this page.
    to: (id, { role }, { membershipId }) =>
      id === membershipId && !mayUse({ scopes: ROLE_SCOPES[role] }, 'GET', PEOPLE) ? TODAY : PEOPLE,
    schema: adminUserSchema,
    body: changeRoleBody,
    work: ({ tenantId, session, body: { role } }, id) => {
      const by = session.membershipId;
      return database.forTenant(tenantId).transaction((tx) => changeRole(tx, { by, id, role }));
    },
  });

  members.remove({
    verb: 'remove',
    action: 'admin_removed',
    isAlwaysMade: true,
    notice: 'admin-removed',
    to: () => PEOPLE,
    work: ({ tenantId, session }, id) =>
      database.forTenant(tenantId).transaction((tx) => removeAdmin(tx, { by: session.membershipId, id })),
  });
}

/**
 * Locks the members of a business, of whom one who is still an owner changes another one.
 * @throws AppError 401 where `by` is no member any more, 403 where they are no owner, 404 where the tenant has no such admin
 */
async function lockFor(tx: TenantTransaction, { by, id }: { by: number; id: number }): Promise<number[]> {
  const admins = await lockMembers(tx);
  if (!admins.includes(by)) throw notSignedIn();
  const owners = await listOwners(tx);
  if (!owners.includes(by)) throw notOfRole();
  if (!admins.includes(id)) throw notFound('Admin');
  return owners;
}

/** @throws AppError 422 on `role` where nobody else is an owner; as `lockFor` */
async function changeRole(
  tx: TenantTransaction,
  { by, id, role }: { by: number; id: number; role: MemberRole },
): Promise<AdminUser> {
  const owners = await lockFor(tx, { by, id });
  if (role !== 'owner' && owners.length === 1 && owners.includes(id))
    throw invalid({ role: ['A business needs at least one owner. Make someone else an owner first.'] });
  return adminRecord((await giveRole(tx, id, role)) as Member);
}

/**
 * Takes an admin's access away; their sessions are over with that, and their invitations void. Nobody
 * removes themselves, so that one owner always stays: two who remove each other wait for one another, and the
 * second is no admin any more.
 * @throws AppError 422 where it is oneself; as `lockFor`
 */
async function removeAdmin(
  tx: TenantTransaction,
  { by, id }: { by: number; id: number },
): Promise<RemovedRecord> {
  if (id === by) throw invalid({ admin: ['You can’t remove yourself. Ask another owner.'] });
  await lockFor(tx, { by, id });
  await deleteMember(tx, id);
  return { id, deleted: true };
}
