import { AppError } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { isMissedCaller } from '../calls/call-backs.rules.ts';

/**
 * Has the call name the appointment that was booked in it; a missed caller counts as called back then.
 * @returns whether that is so; the booking stands anyway
 */
export async function linkCall(
  { calls, changes }: Pick<AreaDeps, 'calls' | 'changes'>,
  request: FastifyRequest,
  { callId, appointmentId }: { callId: number; appointmentId: number },
): Promise<boolean> {
  const { tenantId, session } = request;
  const subject = `Call ${callId}`;
  const link = { action: 'call_linked', subject: `${subject}, appointment ${appointmentId}` } as const;
  const mark = { action: 'call_marked_called_back', subject } as const;
  try {
    const call = await changes.make(request, link, () =>
      calls.linkAppointment(tenantId, callId, appointmentId),
    );
    if (isMissedCaller(call) && call.called_back === null)
      await changes.make(request, mark, () => calls.markCalledBack(tenantId, callId, session.email));
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    request.log.warn({ err: error }, 'a call is not linked to what was booked in it');
    return false;
  }
}
