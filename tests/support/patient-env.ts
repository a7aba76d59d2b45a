/** Longer than a test waits for anything: which wait comes to its end is no matter of chance. */
export const PATIENT_MS = '120000';

/** For services under test: what is only slow, as everything is on a busy machine, is waited for. */
export const PATIENT_ENV = {
  DATABASE_WAIT_MS: PATIENT_MS,
  DATABASE_TENANT_WAIT_MS: PATIENT_MS,
  DATABASE_REQUEST_MS: PATIENT_MS,
  SERVICE_TIMEOUT_MS: PATIENT_MS,
};

/** The same of Redis, where no test takes it away: every request is counted. */
export const PATIENT_REDIS = { REDIS_TIMEOUT_MS: PATIENT_MS, RATE_LIMIT_TIMEOUT_MS: PATIENT_MS };

/** The same of pages: each shows all that it has. */
export const PATIENT_PAGES = { PAGE_TIMEOUT_MS: PATIENT_MS, CHANGE_TIMEOUT_MS: PATIENT_MS };
