/** Everything that is written down, with the words that the page shows. */
export const AUDIT_ACTIONS = {
  signed_in: 'Signed in',
  signed_out: 'Signed out',
  password_changed: 'Changed the password',
  confirmed: 'Confirmed with the password',
  session_ended: 'Ended a session',
  sessions_ended: 'Signed out everywhere else',
  password_reset: 'Set a new password with a link',
  address_asked: 'Asked for another email address',
  address_changed: 'Changed the email address',
  admin_created: 'Added a person',
  admin_invited: 'Invited someone',
  invitation_sent_again: 'Sent an invitation again',
  invitation_revoked: 'Revoked an invitation',
  invitation_accepted: 'Accepted an invitation',
  role_changed: 'Changed a role',
  admin_removed: 'Removed a person',
  reset_link_made: 'Created a link to set a password',
  key_created: 'Created an API key',
  key_changed: 'Changed an API key',
  key_rolled: 'Replaced an API key',
  key_leaked: 'Revoked a leaked API key',
  key_revoked: 'Revoked an API key',
  key_deleted: 'Deleted an API key',
  endpoint_added: 'Added a webhook endpoint',
  endpoint_changed: 'Changed a webhook endpoint',
  endpoint_disabled: 'Disabled a webhook endpoint that kept failing',
  endpoint_deleted: 'Deleted a webhook endpoint',
  endpoint_paused: 'Paused a webhook endpoint',
  endpoint_resumed: 'Resumed a webhook endpoint',
  secret_rotated: 'Replaced a signing secret',
  test_sent: 'Sent a test event',
  delivery_sent_now: 'Sent a pending delivery at once',
  delivery_resent: 'Resent a delivery',
  profile_changed: 'Changed the business’s profile',
  timezone_changed: 'Changed the time zone',
  booking_changed: 'Changed the booking rules',
  service_added: 'Added a service',
  service_changed: 'Changed a service',
  service_activated: 'Activated a service',
  service_deactivated: 'Deactivated a service',
  service_deleted: 'Deleted a service',
  staff_added: 'Added a staff member',
  staff_changed: 'Changed a staff member',
  staff_picture_changed: 'Changed the picture of a staff member',
  staff_picture_removed: 'Removed the picture of a staff member',
  staff_activated: 'Activated a staff member',
  staff_deactivated: 'Deactivated a staff member',
  staff_deleted: 'Deleted a staff member',
  hours_changed: 'Changed weekly hours',
  exception_saved: 'Set special hours',
  exception_removed: 'Removed special hours',
  time_off_added: 'Added time off',
  time_off_removed: 'Removed time off',
  appointment_booked: 'Booked an appointment',
  appointment_moved: 'Moved an appointment',
  appointment_cancelled: 'Cancelled an appointment',
  appointment_completed: 'Completed an appointment',
  appointment_no_show: 'Recorded a no-show',
  appointment_reactivated: 'Reactivated an appointment',
  appointment_arrived: 'Marked an arrival',
  appointment_not_arrived: 'Undid an arrival',
  customer_added: 'Added a customer',
  customer_changed: 'Changed a customer',
  customers_merged: 'Merged two customers',
  customers_exported: 'Exported customers',
  replay_begun: 'Started a replay',
  replay_cancelled: 'Stopped a replay',
  call_marked_called_back: 'Marked a missed call as called back',
  call_back_mark_removed: 'Marked a missed call as not called back',
  call_linked: 'Linked a call to the appointment booked in it',
  call_source_added: 'Added a call source',
  call_source_changed: 'Changed a call source',
  call_source_paused: 'Paused a call source',
  call_source_resumed: 'Resumed a call source',
  call_source_deleted: 'Deleted a call source',
  call_secret_replaced: 'Replaced the secret of a call source',
  test_call_made: 'Made a real test call',
  call_message_read_again: 'Processed a call message again',
  call_message_deleted: 'Deleted a call message',
  business_created: 'Created the business',
  business_suspended: 'Suspended the business',
  business_resumed: 'Ended the suspension of the business',
  plan_changed: 'Changed the plan',
  quota_changed: 'Changed a quota',
  business_imported: 'Imported the setup of the business',
  holds_released: 'Released all held times',
  appointment_changed: 'Changed an appointment',
  stuck_event_retried: 'Retried an event that could not be processed',
  stuck_event_discarded: 'Discarded an event that could not be processed',
  operator_changed: 'Made a change',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/**
 * Of these, what one person does beyond `SINGLE_ENTRIES_PER_HOUR` times in an hour is one entry with the ids of the
 * records. What concerns access, such as keys, people, endpoints and sign-ins, is only beyond the day's changes.
 */
export const FOLDED_ACTIONS: ReadonlySet<AuditAction> = new Set([
  'appointment_booked',
  'appointment_moved',
  'appointment_cancelled',
  'appointment_completed',
  'appointment_no_show',
  'appointment_reactivated',
  'appointment_changed',
  'appointment_arrived',
  'appointment_not_arrived',
  'customer_added',
  'customer_changed',
  'customers_exported',
]);
export const SINGLE_ENTRIES_PER_HOUR = 100;
/** How often an action may have happened in one entry; then another one begins. */
export const MOST_IN_ENTRY = 1_000;
/** So many different addresses an entry keeps that stands for many actions, the first ones; and the latest. */
export const MOST_ADDRESSES = 20;

export interface AuditEntryRow {
  tenant_id: number;
  id: number;
  at: Date;
  actor: string;
  address: string | null;
  action: AuditAction;
  subject: string;
  /** `started` stays where the process died before the outcome was known. */
  outcome: 'started' | 'done' | 'refused';
  /**
   * How often it happened. More than 1 only where entries are folded by the hour: failed sign-ins, and
   * `FOLDED_ACTIONS`.
   */
  count: number;
  /** When it last happened, where it happened more than once. */
  last_at: Date | null;
  /** Of a folded entry: the records, each once, and what came of how many of the actions. Null in all others. */
  record_ids: number[] | null;
  done_count: number | null;
  refused_count: number | null;
  /**
   * Of an entry that stands for many actions: from where, each once and no more than `MOST_ADDRESSES`.
   * `address` is the latest.
   */
  addresses: string[] | null;
  /** Of a folded entry of exports: how many customers they handed out together. */
  exported_count: number | null;
  /** Who it was, whatever their email is now. Null for operators, for strangers, and in entries of 0.1.0. */
  account_id: number | null;
  membership_id: number | null;
}

/** An entry as the page shows it. */
export const auditEntryRecord = ({ at, last_at, ...row }: AuditEntryRow) => ({
  ...row,
  at: at.toISOString(),
  last_at: last_at?.toISOString() ?? null,
});

export type AuditEntry = ReturnType<typeof auditEntryRecord>;

/** Whose email an actor's name is, whatever it becomes. */
export interface ActorIds {
  accountId?: number | null;
  membershipId?: number | null;
}

/** Who changes something, and from where; the operator's command line has no address, and no account. */
export interface Actor extends ActorIds {
  name: string;
  address: string | null;
}

/** An operator, and who that is as far as their command line says. */
export const operatorNamed = (name: string | null | undefined): Actor => ({
  name: name ? `Operator (${name})` : 'Operator',
  address: null,
});

/** What another service calls an action, where it is one of ours: a later release may know more. */
export function knownAction(action: string): AuditAction | null {
  return Object.hasOwn(AUDIT_ACTIONS, action) ? (action as AuditAction) : null;
}
