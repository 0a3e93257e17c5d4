import { describe, expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import { STOP_SIGNALS, waitForStopSignal } from "./signals.ts";

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
