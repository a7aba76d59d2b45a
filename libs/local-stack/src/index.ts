export { freePorts, requireFreePort } from './ports.ts';
export { identify, isRunning, type ProcessIdentity } from './process-identity.ts';
export { removeEngineData } from './remove-engine-data.ts';
export { startEngines } from './start-engines.ts';
export type { EnginePorts, Engines, StartEnginesOptions } from './types.ts';
