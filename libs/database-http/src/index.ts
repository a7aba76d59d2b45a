export { eventGapRoutes } from './event-gaps.routes.ts';
export { idempotent } from './idempotent.ts';
export { stuckEventRoutes } from './stuck-events.routes.ts';
