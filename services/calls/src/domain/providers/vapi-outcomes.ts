import type { CallOutcome } from '@frontdesk/contracts';

/**
 * Vapi has some six hundred reasons, most of them one fault of each of its suppliers: the first line that a reason begins
 * with decides. A reason that isn't here, the ordinary end of a conversation, says nothing about the outcome.
 * https://docs.vapi.ai/calls/call-ended-reason
 */
const OUTCOMES: readonly (readonly [beginning: string, outcome: CallOutcome])[] = [
  ['assistant-forwarded-call', 'transferred'],
  ['assistant-request-returned-forwarding-phone-number', 'transferred'],
  ['call.ringing.hook-executed-transfer', 'transferred'],
  ['call.ending.hook-executed-transfer', 'transferred'],
  ['voicemail', 'voicemail'],
  ['customer-did-not-answer', 'no_answer'],
  ['customer-busy', 'no_answer'],
  ['call.ringing.sip-inbound-caller-hungup-before-call-connect', 'no_answer'],
  ['call.in-progress.error-providerfault-outbound-sip-408', 'no_answer'],
  ['call.in-progress.error-providerfault-outbound-sip-480', 'no_answer'],
  ['call.in-progress.error-providerfault-outbound-sip-486', 'no_answer'],
  ['call.in-progress.error-providerfault-outbound-sip-487', 'no_answer'],
  ['call.in-progress.error-providerfault-outbound-sip-600', 'no_answer'],
  ['call.in-progress.error-providerfault-outbound-sip-603', 'no_answer'],
  ['customer-did-not-give-microphone-permission', 'failed'],
  ['assistant-error', 'failed'],
  ['assistant-request-', 'failed'],
  ['assistant-not-', 'failed'],
  ['assistant-join-timed-out', 'failed'],
  ['call-start-error', 'failed'],
  ['call.start.', 'failed'],
  ['call.ringing.error', 'failed'],
  ['call.in-progress.error', 'failed'],
  ['database-error', 'failed'],
  ['db-error', 'failed'],
  ['license-check-failed', 'failed'],
  ['no-server-available', 'failed'],
  ['pipeline-', 'failed'],
  ['phone-call-provider-', 'failed'],
  ['scheduled-call-deleted', 'failed'],
  ['server-shutdown', 'failed'],
  ['twilio-failed', 'failed'],
  ['twilio-reported-customer-misdialed', 'failed'],
  ['unknown-error', 'failed'],
  ['vonage-failed', 'failed'],
  ['vonage-rejected', 'failed'],
  ['worker-shutdown', 'failed'],
];

export const outcomeOfReason = (reason = ''): CallOutcome | undefined =>
  OUTCOMES.find(([beginning]) => reason.startsWith(beginning))?.[1];
