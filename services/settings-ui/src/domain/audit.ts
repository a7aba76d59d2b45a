/** Everything that is written down, with the words that the page shows. */
export const AUDIT_ACTIONS = {
  signed_in: 'Signed in',
  signed_out: 'Signed out',
  password_changed: 'Changed the password',
  password_reset: 'Set a new password with a link',
  admin_created: 'Added an admin',
  admin_invited: 'Invited someone',
  invitation_revoked: 'Revoked an invitation',
  invitation_accepted: 'Accepted an invitation',
  admin_removed: 'Removed an admin',
  reset_link_made: 'Created a link to set a password',
  key_created: 'Created an API key',
  key_revoked: 'Revoked an API key',
  key_deleted: 'Deleted an API key',
  endpoint_added: 'Added a webhook endpoint',
  endpoint_changed: 'Changed a webhook endpoint',
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
  customer_added: 'Added a customer',
  customer_changed: 'Changed a customer',
  customers_exported: 'Exported customers',
  replay_begun: 'Started a replay',
  replay_cancelled: 'Stopped a replay',
  call_marked_called_back: 'Marked a missed call as called back',
  call_back_mark_removed: 'Marked a missed call as not called back',
  call_source_added: 'Added a call source',
  call_source_changed: 'Changed a call source',
  call_source_paused: 'Paused a call source',
  call_source_resumed: 'Resumed a call source',
  call_source_deleted: 'Deleted a call source',
  call_secret_replaced: 'Replaced the secret of a call source',
  test_call_made: 'Made a real test call',
  call_message_read_again: 'Processed a call message again',
  call_message_deleted: 'Deleted a call message',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

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
  /** How often it happened. More than 1 only for failed sign-ins, which are counted by the hour. */
  count: number;
  /** When it last happened, where it happened more than once. */
  last_at: Date | null;
}

/** An entry as the page shows it. */
export const auditEntryRecord = ({ at, last_at, ...row }: AuditEntryRow) => ({
  ...row,
  at: at.toISOString(),
  last_at: last_at?.toISOString() ?? null,
});

export type AuditEntry = ReturnType<typeof auditEntryRecord>;

/** Who changes something, and from where; the operator's command line has no address. */
export interface Actor {
  name: string;
  address: string | null;
}

export const OPERATOR: Actor = { name: 'Operator', address: null };
