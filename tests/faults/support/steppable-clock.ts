/**
 * Preloaded into a process: its wall clock is FAULT_CLOCK_MS ahead (or behind) from the first SIGUSR2 on. Timers go on as
 * they do when a machine's clock is stepped: they are counted by another clock.
 */
const RealDate = Date;
let aheadMs = 0;
const now = () => RealDate.now() + aheadMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, fields, newTarget) =>
    Reflect.construct(target, fields.length === 0 ? [now()] : fields, newTarget),
  get: (target, property) => (property === 'now' ? now : Reflect.get(target, property)),
});
process.on('SIGUSR2', () => {
  aheadMs = Number(process.env.FAULT_CLOCK_MS);
});
