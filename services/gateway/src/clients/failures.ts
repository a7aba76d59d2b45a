import { AppError } from '@frontdesk/service';

/** 503, to be tried again. The cause is for the log only. */
export const unavailable = (cause: unknown, retryMs = 1_000) =>
  new AppError('service_unavailable', 'The service is not available at the moment. Please try again.', {
    cause,
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryMs / 1_000))) },
  });

export const tooSlow = () => new AppError('upstream_timeout', 'The service took too long to answer.');

/** Nobody hears it; it only ends what is under way. */
export const gone = () => new Gone('bad_request', 'The client has gone.');
export const isGone = (error: AppError) => error instanceof Gone;
class Gone extends AppError {}
