import { AppError } from '@frontdesk/service';

/** 503, to be tried again. The cause is for the log only. */
export const unavailable = (cause: unknown, retryMs = 1_000) =>
  new AppError('service_unavailable', 'The service is not available at the moment. Please try again.', {
    cause,
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryMs / 1_000))) },
  });

export const tooSlow = () => new AppError('upstream_timeout', 'The service took too long to answer.');

/** Aborts the reading of a body, or the call to a backend, after the client has closed its connection. No client gets this error. */
export const clientClosed = () => new ClientClosed('bad_request', 'The client has gone.');
export const isClientClosed = (error: AppError) => error instanceof ClientClosed;
class ClientClosed extends AppError {}

/** The answer to a key of a suspended tenant. */
export const suspended = () => new AppError('tenant_suspended', 'This business is suspended.');
