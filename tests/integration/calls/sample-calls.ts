let calls = 0;

/** An id that no other call of this run has. */
export const newCallId = (prefix = 'call') => {
  calls += 1;
  return `${prefix}-${process.pid}-${calls}`;
};

export interface GenericFields {
  provider_call_id?: string;
  [field: string]: unknown;
}

/** A call of Frontdesk's own schema, two minutes long. */
export const genericCall = (fields: GenericFields = {}) => ({
  provider_call_id: newCallId(),
  direction: 'inbound',
  from_number: '+493023125001',
  to_number: '+493023125999',
  started_at: '2026-03-02T10:00:00Z',
  ended_at: '2026-03-02T10:02:00Z',
  ...fields,
});

export const vapiReport = (id: string, fields: object = {}) => ({
  type: 'end-of-call-report',
  endedReason: 'customer-ended-call',
  startedAt: '2026-03-02T10:00:00.000Z',
  endedAt: '2026-03-02T10:02:00.000Z',
  customer: { number: '+493023125001' },
  phoneNumber: { number: '+493023125999' },
  call: { id, type: 'inboundPhoneCall' },
  artifact: {
    messages: [
      { role: 'bot', message: 'Hello, this is the studio.', secondsFromStart: 0 },
      { role: 'user', message: 'I would like to book a haircut.', secondsFromStart: 3.2 },
    ],
  },
  analysis: { summary: 'A haircut was booked.' },
  ...fields,
});

const retellCall = (id: string, fields: object) => ({
  call_id: id,
  direction: 'inbound',
  from_number: '+493023125001',
  to_number: '+493023125999',
  start_timestamp: Date.parse('2026-03-02T10:00:00Z'),
  end_timestamp: Date.parse('2026-03-02T10:02:00Z'),
  disconnection_reason: 'user_hangup',
  transcript_object: [
    { role: 'agent', content: 'Hello, this is the studio.', words: [{ start: 0.1, end: 1.2 }] },
    { role: 'user', content: 'Just checking your hours.', words: [{ start: 1.5, end: 3 }] },
  ],
  ...fields,
});

export const retellEnded = (id: string, fields: object = {}) => ({
  event: 'call_ended',
  call: retellCall(id, fields),
});

export const retellAnalysed = (id: string, fields: object = {}) => ({
  event: 'call_analyzed',
  call: retellCall(id, {
    call_analysis: { user_sentiment: 'Positive', call_summary: 'Asked about the hours.' },
    ...fields,
  }),
});

export const twilioStatus = (id: string, fields: Record<string, string> = {}) => ({
  CallSid: id,
  AccountSid: 'AC00000000000000000000000000000001',
  CallStatus: 'completed',
  CallDuration: '120',
  Direction: 'inbound',
  From: '+493023125001',
  To: '+493023125999',
  Timestamp: 'Mon, 02 Mar 2026 10:02:00 +0000',
  ...fields,
});

export const newCallSid = () => `CA${newCallId('').replaceAll('-', '').padStart(32, '0')}`;
