import { expect, test } from "bun:test";
import type { ToGateway } from "#core/controller/messages.ts";
import type { DetectionReport, RegisteredAddress } from "#core/device/detection.ts";
import { until } from "../e2e/harness/until.ts";
import { silentLog } from "../platform/log.ts";
import { ChannelServices } from "./channel-services.ts";

const TARGET = { transport: "tcp", host: "127.0.0.1" } as const;
const FOUND: DetectionReport = { found: [], tried: [] };
const CALLED_OFF: DetectionReport = {
  found: [],
  tried: [
    {
      ...{ transport: "tcp", connectionParams: { host: "127.0.0.1", port: 4999 } },
      ...{ outcome: "not_tried", reason: "The search was called off", probes: 0 },
    },
  ],
};

/** A search that was begun: it ends when it is told to, whether or not it was called off. */
interface Begun {
  readonly signal: AbortSignal;
  readonly end: (report: DetectionReport) => void;
}

function open() {
  const sent: ToGateway[] = [];
  const begun: Begun[] = [];
  const named: RegisteredAddress[] = [];
  const services = new ChannelServices({
    channel: {
      isConnected: true,
      send: (message) => void sent.push(message),
      listen: () => undefined,
    },
    log: silentLog,
    traceOf: () => undefined,
    detect({ signal, registered }) {
      const { promise, resolve } = Promise.withResolvers<DetectionReport>();
      begun.push({ signal, end: resolve });
      if (registered) named.push(...registered);
      return promise;
    },
  });
  const search = (requestId: string) => {
    services.hear({ type: "detect.begin", requestId, target: TARGET });
    return begun.at(-1) ?? Promise.reject(new Error("no search"));
  };
  return { services, sent, search, named };
}

test("a search that is called off by its asker still tells what it found", async () => {
  const { services, sent, search } = open();
  const { signal, end } = await search("req_1");
  services.hear({ type: "detect.end", requestId: "req_1" });
  expect(signal.aborted).toBe(true);
  end(FOUND);
  await until("its report", () => sent.length > 0);
  expect(sent).toEqual([{ type: "detect.report", requestId: "req_1", report: FOUND }]);
});

test("a search leaves alone what the gateway says is registered", async () => {
  const { services, named } = open();
  const registered = [
    { id: "dev_1", name: "Bar", transport: "tcp", connectionParams: { host: "bar", port: 4999 } },
  ] as const;
  services.hear({ type: "detect.begin", requestId: "req_1", target: TARGET, registered });
  expect(named).toEqual([...registered]);
});

test("one of a connection that ended says nothing under the number of a new one", async () => {
  const { services, sent, search } = open();
  const old = await search("req_1");
  services.stop();
  expect(old.signal.aborted).toBe(true);
  const next = await search("req_1");
  old.end(CALLED_OFF);
  services.hear({ type: "detect.end", requestId: "req_1" });
  expect(next.signal.aborted).toBe(true);
  next.end(FOUND);
  await until("the report of the new one", () => sent.length > 0);
  expect(sent).toEqual([{ type: "detect.report", requestId: "req_1", report: FOUND }]);
});
