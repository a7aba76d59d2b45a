/** The clocks of time zones: Temporal, with what it costs most remembered. A lib, so that a domain can stay without memory. */
export * from './local-day.ts';
export * from './local-time.ts';
export * from './time-units.ts';
