import type { CallOutcome } from '@frontdesk/contracts';
import { lookUp } from '../reading.ts';

/** https://docs.retellai.com/reliability/debug-call-disconnect; a reason that isn't here says nothing about the outcome. */
const OUTCOMES: Readonly<Record<string, CallOutcome>> = {
  call_transfer: 'transferred',
  transfer_bridged: 'transferred',
  voicemail_reached: 'voicemail',
  dial_busy: 'no_answer',
  dial_no_answer: 'no_answer',
  user_declined: 'no_answer',
  error_user_not_joined: 'no_answer',
  registered_call_timeout: 'no_answer',
  dial_failed: 'failed',
  invalid_destination: 'failed',
  telephony_provider_permission_denied: 'failed',
  telephony_provider_unavailable: 'failed',
  sip_routing_error: 'failed',
  marked_as_spam: 'failed',
  scam_detected: 'failed',
  concurrency_limit_reached: 'failed',
  no_concurrency_fallback: 'failed',
  no_valid_payment: 'failed',
  error_llm_websocket_open: 'failed',
  error_llm_websocket_lost_connection: 'failed',
  error_llm_websocket_runtime: 'failed',
  error_llm_websocket_corrupt_payload: 'failed',
  error_no_audio_received: 'failed',
  error_asr: 'failed',
  error_retell: 'failed',
  error_unknown: 'failed',
};

export const outcomeOfReason = (reason: unknown) => lookUp(OUTCOMES, reason);
