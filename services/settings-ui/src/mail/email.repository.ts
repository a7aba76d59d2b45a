import { type SystemScope, systemSql, type TenantReads, tenantSql } from '@frontdesk/database';
import {
  type AccountDetails,
  type AccountKind,
  type BusinessDetails,
  type BusinessKind,
  type EmailKind,
  type EmailToCompose,
  foldKeyOf,
  GIVE_UP_DAYS,
  HELD_MS,
  MOST_OCCURRENCES,
  type Recipient,
} from './email.rules.ts';

interface NewEmails {
  kind: EmailKind;
  recipients: string[];
  accountIds: (number | null)[];
  foldKeys: (string | null)[];
  occurrence: string;
}

/**
 * Adds a row for each recipient, or an occurrence to the row that still waits. The first email of an hour is due at once.
 * Rows are in the order of their keys, so that two transactions with the same recipients can't deadlock.
 */
const queueText = (tenant: '$tenantId' | 'null::bigint', isTenants: '= $tenantId' | 'is null') =>
  `insert into emails as email (tenant_id, kind, recipient, account_id, fold_key, details, due_at, wanted_at)
   select ${tenant}, $kind::text, made.recipient, made.account_id, made.fold_key, jsonb_build_array($occurrence::jsonb),
     first.due_at, first.due_at
   from unnest($recipients::text[], $accountIds::bigint[], $foldKeys::text[]) as made (recipient, account_id, fold_key),
     lateral (select greatest(now(), max(earlier.composed_at) + interval '1 hour') as due_at from emails earlier
       where earlier.tenant_id ${isTenants} and earlier.fold_key = made.fold_key) first
   order by made.fold_key
   on conflict (tenant_id, fold_key) where composed_at is null and failed_at is null and fold_key is not null
   do update set count = email.count + 1, wanted_at = greatest(email.wanted_at, now()), details = (case
     when jsonb_array_length(email.details) < ${MOST_OCCURRENCES} then email.details else email.details - 0 end)
     || excluded.details`;

const queue = tenantSql<never, NewEmails>('emails_queue', queueText('$tenantId', '= $tenantId'));
const queueOfAccount = systemSql<never, NewEmails>(
  'emails_queue_of_account',
  queueText('null::bigint', 'is null'),
);

function newEmails(kind: EmailKind, recipients: readonly Recipient[], details: object): NewEmails {
  // A statement can't update one row twice.
  const byKey = new Map(recipients.map((each) => [foldKeyOf(kind, each) ?? each.email, each]));
  const different = [...byKey.values()];
  return {
    kind,
    recipients: different.map(({ email }) => email),
    accountIds: different.map(({ account_id }) => account_id),
    foldKeys: different.map((each) => foldKeyOf(kind, each)),
    occurrence: JSON.stringify({ at: new Date().toISOString(), ...details }),
  };
}

const toAddresses = (addresses: readonly string[]) => addresses.map((email) => ({ email, account_id: null }));

/** Queues an email of a business to each recipient, in the transaction of the change that it is about. */
export const queueEmail = <Kind extends BusinessKind>(
  tx: TenantReads,
  email: { kind: Kind; recipients: readonly string[]; details: BusinessDetails[Kind] },
) => tx.run(queue, newEmails(email.kind, toAddresses(email.recipients), email.details));

/** The same to members. When it is sent, it goes to the address that the account has then, if it is a member still. */
export const queueToMembers = <Kind extends BusinessKind>(
  tx: TenantReads,
  email: { kind: Kind; members: readonly Recipient[]; details: BusinessDetails[Kind] },
) => tx.run(queue, newEmails(email.kind, email.members, email.details));

const hold = tenantSql<{ id: number }, Omit<NewEmails, 'foldKeys'> & { heldMs: number }>(
  'emails_hold',
  `insert into emails (tenant_id, kind, recipient, account_id, details, due_at, wanted_at)
   select $tenantId, $kind::text, held.recipient, held.account_id, jsonb_build_array($occurrence::jsonb), first.due_at, first.due_at
   from unnest($recipients::text[], $accountIds::bigint[]) as held (recipient, account_id),
     (select now() + $heldMs * interval '1 millisecond' as due_at) first
   returning id`,
);

/**
 * Queues emails to members about a change that another service is about to make. They go out after a minute, never
 * folded, unless they are dropped before. @returns their ids
 */
export async function holdForMembers<Kind extends BusinessKind>(
  db: TenantReads,
  email: { kind: Kind; members: readonly Recipient[]; details: BusinessDetails[Kind] },
): Promise<number[]> {
  const { foldKeys: _, ...emails } = newEmails(email.kind, email.members, email.details);
  return (await db.many(hold, { ...emails, heldMs: HELD_MS })).map(({ id }) => id);
}

const dropHeldOnes = tenantSql<never, { ids: number[] }>(
  'emails_drop_held',
  'delete from emails where tenant_id = $tenantId and id = any($ids::bigint[]) and sent_at is null',
);

export const dropHeld = (tx: TenantReads, ids: number[]) => tx.run(dropHeldOnes, { ids });

/**
 * Queues an email about an account to each recipient.
 * @param email.tenantId the business whose name and clocks it has; null for none
 */
export const queueAccountEmail = <Kind extends AccountKind>(
  tx: Pick<SystemScope, 'run'>,
  email: {
    kind: Kind;
    recipients: readonly string[];
    details: AccountDetails[Kind];
    tenantId: number | null;
  },
) => {
  const details = { ...email.details, tenant_id: email.tenantId };
  return tx.run(queueOfAccount, newEmails(email.kind, toAddresses(email.recipients), details));
};

/** An email that a process works on, until its lease ends. */
export interface ClaimedEmail extends EmailToCompose {
  made_at: Date;
  /** The account that has to be a member still; null for other recipients. */
  account_id: number | null;
  /** This one included. */
  attempts: number;
  sealed: string | null;
  /** It has waited for too long to be of use. */
  is_over: boolean;
  /** Whether an attempt has failed. */
  has_failed: boolean;
}

interface ToClaim {
  leaseMs: number;
  limit: number;
  isSending: boolean;
}

const IS_LATE = `wanted_at < now() - interval '${GIVE_UP_DAYS} days'`;

// An email is tried once, however late it is: all processes may have been down. Operators have had those that were kept.
const claim = systemSql<ClaimedEmail, ToClaim>(
  'emails_claim',
  `update emails set due_at = now() + $leaseMs * interval '1 millisecond', attempts = attempts + 1
   where id in (
     select id from emails
     where sent_at is null and failed_at is null and due_at <= now() and ($isSending or composed_at is null)
     order by due_at limit $limit for update skip locked)
   returning id, tenant_id, kind, recipient, account_id, details, count, made_at, attempts, sealed,
     last_error is not null as has_failed,
     ${IS_LATE} and (was_kept or last_error is not null) as is_over`,
);

/** Claims due emails, the longest due first; without a mail server, only those that are not composed yet. */
export const claimEmails = (system: SystemScope, given: ToClaim): Promise<ClaimedEmail[]> =>
  system.many(claim, given);

/** The attempt that writes. It writes nothing once another process has claimed the email. */
type Attempt = Pick<ClaimedEmail, 'id' | 'attempts'>;
const MINE = 'id = $id and attempts = $attempts and sent_at is null and failed_at is null';

interface ToSave extends Attempt {
  count: number;
  subject: string;
  sealed: string;
  expiresAt: string | null;
  leaseMs: number;
}

const saveComposed = systemSql<never, ToSave>(
  'emails_save_composed',
  `update emails set composed_at = coalesce(composed_at, now()), subject = $subject, sealed = $sealed,
     expires_at = $expiresAt::timestamptz,
     due_at = now() + $leaseMs * interval '1 millisecond'
   where ${MINE} and count = $count`,
);

/** @returns false where the email has another occurrence by now, or the lease is lost */
export const saveComposedEmail = async (system: SystemScope, given: ToSave): Promise<boolean> =>
  (await system.run(saveComposed, given)) === 1;

const release = systemSql<never, Attempt>('emails_release', `update emails set due_at = now() where ${MINE}`);

/** Ends the lease: the email is due at once, for any process. */
export const releaseEmail = (system: SystemScope, { id, attempts }: Attempt) =>
  system.run(release, { id, attempts });

const keep = systemSql<never, Attempt>(
  'emails_keep',
  `update emails set due_at = now(), was_kept = true where ${MINE}`,
);

/** Ends the lease of an email that is composed where there is no mail server. */
export const keepEmail = (system: SystemScope, { id, attempts }: Attempt) =>
  system.run(keep, { id, attempts });

const discard = systemSql<never, Attempt & { count: number }>(
  'emails_discard',
  `delete from emails where ${MINE} and count = $count`,
);

/** Deletes an email that is not to be sent. With another occurrence by now it is due at once instead. */
export async function discardEmail(
  system: SystemScope,
  { id, attempts, count }: Attempt & { count: number },
): Promise<void> {
  const isDeleted = (await system.run(discard, { id, attempts, count })) === 1;
  if (!isDeleted) await releaseEmail(system, { id, attempts });
}

const markSent = systemSql<never, Attempt>(
  'emails_mark_sent',
  `update emails set sent_at = now(), sealed = null, last_error = null where ${MINE}`,
);

/** Removes its text too: the recipient has it. */
export const markEmailSent = (system: SystemScope, { id, attempts }: Attempt) =>
  system.run(markSent, { id, attempts });

const defer = systemSql<never, Attempt & { delayMs: number; reason: string }>(
  'emails_defer',
  `update emails set due_at = now() + $delayMs * interval '1 millisecond', last_error = $reason,
     failed_at = case when ${IS_LATE} then now() end
   where ${MINE}`,
);

/** It is tried again later, unless it has waited for too long. */
export const deferEmail = (
  system: SystemScope,
  { id, attempts }: Attempt,
  { delayMs, reason }: { delayMs: number; reason: string },
) => system.run(defer, { id, attempts, delayMs, reason });

const fail = systemSql<never, Attempt & { reason: string }>(
  'emails_fail',
  `update emails set failed_at = now(), last_error = $reason where ${MINE}`,
);

export const failEmail = (system: SystemScope, { id, attempts }: Attempt, reason: string) =>
  system.run(fail, { id, attempts, reason });

const forgetTexts = systemSql<never>(
  'emails_forget_texts',
  'update emails set sealed = null where failed_at is not null and sealed is not null and expires_at <= now()',
);

/** Removes the texts of failed emails whose link has expired. */
export const forgetFailedTexts = (system: SystemScope) => system.run(forgetTexts);

const dropOver = systemSql<never>(
  'emails_drop_over',
  `delete from emails where sent_at is null and failed_at is null and last_error is null
     and sealed is not null and expires_at <= now()`,
);

/** Removes emails whose link has expired and that nobody has tried to send: without a mail server none is composed anew. */
export const dropOverEmails = (system: SystemScope) => system.run(dropOver);

const BATCH = 1_000;

const purge = systemSql<never, { days: number }>(
  'emails_purge',
  `delete from emails where id in (
     select id from emails where wanted_at < now() - $days * interval '1 day' limit ${BATCH} for update skip locked)`,
);

/** Removes a batch of emails beyond the retention. @returns whether there may be more */
export const purgeEmails = async (system: SystemScope, retentionDays: number): Promise<boolean> =>
  (await system.run(purge, { days: retentionDays })) === BATCH;
