export { progressBox } from './consumer-progress.ts';
export { collectDeadLetters } from './dead-letters.ts';
export { type DnsServer, startDnsServer } from './dns-server.ts';
export { engines } from './engines.ts';
export { eventually } from './eventually.ts';
export { identityKeys } from './identity-keys.ts';
export { logger } from './logger.ts';
export { type MailServer, type ReceivedMail, startMailServer } from './mail-server.ts';
export { startNeighbours } from './neighbours.ts';
export { type ArrivedSpan, type OtlpReceiver, startOtlpReceiver } from './otlp-receiver.ts';
export { IN_OWN_DATABASE, lockWaits } from './own-database.ts';
export { freePort } from './ports.ts';
export { type ReceivedRequest, type Receiver, startReceiver } from './receiver.ts';
export { recordOf, recordOn } from './records.ts';
export { type Relay, startRelay } from './relay.ts';
export { eventOf, sampleAppointment, sampleCustomer } from './sample-events.ts';
export { startServiceWorld } from './service-world.ts';
export { sharedSystem } from './shared-system.ts';
export {
  type InjectedRequest,
  operator,
  signedRequests,
  whoRuns,
} from './signed-requests.ts';
export { uniqueTenantId } from './tenants.ts';
export { createTestDatabase, PATIENT_BOUNDS, patientUrl } from './test-database.ts';
export { createTopics, kafkaClient, removeTopics, uniquePrefix } from './topics.ts';
export { withinOneWindow } from './within-one-window.ts';
