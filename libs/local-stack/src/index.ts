export { freePorts, requireFreePort, reservePorts } from './ports.ts';
export { identify, isRunning, type ProcessIdentity } from './process-identity.ts';
export { removeEngineData } from './remove-engine-data.ts';
export { startEngines } from './start-engines.ts';
export { type Supervised, supervise } from './supervise.ts';
export type { EnginePorts, Engines, KafkaUsers, StartEnginesOptions } from './types.ts';
export { withParent } from './with-parent.ts';
