/**
 * What every service with data and events stands on. A lib of its own: libs/service knows neither database nor Kafka, and these
 * two don't know each other.
 */
export { assemble } from './assemble.ts';
export { eventGapRoutes } from './event-gaps.routes.ts';
export { idempotent } from './idempotent.ts';
export { createProjection, type Projection } from './projection.ts';
export { stuckEventRoutes } from './stuck-events.routes.ts';
export { createCaller, createWiring, type Wiring } from './wiring.ts';
