/** Being asked to stop. */

export const STOP_SIGNALS = ["SIGTERM", "SIGINT"] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

/** Where signals come from; `process`, but for tests. */
export interface SignalSource {
  on(signal: StopSignal, listener: () => void): unknown;
  off(signal: StopSignal, listener: () => void): unknown;
}

/**
 * Resolves at the first SIGTERM or SIGINT. From then on the system's own handling is back, so a
 * second signal ends a process that does not come to an end by itself.
 */
export function waitForStopSignal(source: SignalSource = process): Promise<StopSignal> {
  return new Promise((resolve) => {
    const listeners = STOP_SIGNALS.map((signal) => ({
      signal,
      listener: () => {
        for (const other of listeners) source.off(other.signal, other.listener);
        resolve(signal);
      },
    }));
    for (const { signal, listener } of listeners) source.on(signal, listener);
  });
}
