import { describe, expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import { OTHER_SIGNALS, outliveOtherSignals, STOP_SIGNALS, waitForStopSignal } from "./signals.ts";

describe("waiting to be asked to stop", () => {
  test.each([...STOP_SIGNALS])(
    "ends with %s and leaves later signals to the system",
    async (name) => {
      const source = new EventEmitter();
      const stopped = waitForStopSignal(source);
      source.emit(name);
      expect(await stopped).toBe(name);
      for (const signal of STOP_SIGNALS) expect(source.listenerCount(signal)).toBe(0);
    },
  );
});

test.each([...OTHER_SIGNALS])("%s is told each time and never left to the system", (name) => {
  const source = new EventEmitter();
  const told: string[] = [];
  outliveOtherSignals((signal) => told.push(signal), source);
  source.emit(name);
  source.emit(name);
  expect(told).toEqual([name, name]);
});
