/** npm and a terminal may each send the same Ctrl-C: what follows this soon is not a second one. */
const ECHO_MS = 500;

/** The first SIGINT, SIGTERM or SIGHUP aborts `stop`; a later one aborts `hasten`. */
export function stopSignals(): { stop: AbortSignal; hasten: AbortSignal } {
  const stop = new AbortController();
  const hasten = new AbortController();
  let firstAt = 0;
  const onSignal = () => {
    if (!stop.signal.aborted) {
      firstAt = performance.now();
      stop.abort(new Error('told to stop'));
    } else if (performance.now() - firstAt > ECHO_MS) {
      hasten.abort();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return { stop: stop.signal, hasten: hasten.signal };
}
