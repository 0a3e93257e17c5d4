/** Signals: being asked to stop, and what is no reason to. */

export const STOP_SIGNALS = ["SIGTERM", "SIGINT"] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

/**
 * Signals that end a program unless it says otherwise, and that a service is sent for other reasons:
 * by a terminal that is closed, by tools that turn logs or ask for a state. There is little
 * to read anew: the log is the standard output, and settings count from the next start.
 */
export const OTHER_SIGNALS = ["SIGHUP", "SIGUSR1", "SIGUSR2"] as const;
export type OtherSignal = (typeof OTHER_SIGNALS)[number];

/** Where signals come from; `process`, but for tests. */
export interface SignalSource {
  on(signal: StopSignal | OtherSignal, listener: () => void): unknown;
  off(signal: StopSignal | OtherSignal, listener: () => void): unknown;
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

/** Survives the other signals from now on. @param onSignal told of each */
export function outliveOtherSignals(
  onSignal: (signal: OtherSignal) => void,
  source: SignalSource = process,
): void {
  for (const signal of OTHER_SIGNALS) source.on(signal, () => onSignal(signal));
}
