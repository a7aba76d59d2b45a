export { engines } from './engines.ts';
export { eventually } from './eventually.ts';
export { identityKeys } from './identity-keys.ts';
export { freePort } from './ports.ts';
export { type ReceivedRequest, type Receiver, startReceiver } from './receiver.ts';
export { uniqueTenantId } from './tenants.ts';
export { createTestDatabase } from './test-database.ts';
