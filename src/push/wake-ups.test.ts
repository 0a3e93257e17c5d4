import { afterEach, beforeEach, expect, test } from "bun:test";
import { until } from "../e2e/harness/until.ts";
import { createLog } from "../platform/log.ts";
import { createQueueBench, DEVICE, ORG, type QueueBench } from "../queue/testing/queue-bench.ts";
import { createRelay } from "./relay.ts";
import { startWakeUps, type WakeUps } from "./wake-ups.ts";

const TABLET = { orgId: ORG, controllerId: "tablet" };
const KEY = "relay key";

let bench: QueueBench;
let relay: Bun.Server<undefined>;
/** What the relay was sent, and what it answers. */
let received: { readonly headers: Headers; readonly body: string }[];
let answer: () => Response | Promise<Response>;
/** Wake-ups that were sent, and those of which the answer was heard. */
let sent: number;
let heard: number;
let lines: string[];
let isConnected: boolean;
let wakeUps: WakeUps;

beforeEach(() => {
  [received, lines, isConnected, sent, heard] = [[], [], false, 0, 0];
  answer = () => new Response();
  relay = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    async fetch(request) {
      received.push({ headers: request.headers, body: await request.text() });
      return answer();
    },
  });
  bench = createQueueBench();
  bench.controller.connected = false;
  bench.controller.remote = true;
  const { stores } = bench;
  stores.devices.insert({
    ...{ id: DEVICE, orgId: ORG, name: "Till", driver: "vendorA.isl", transport: "bluetooth" },
    connectionParams: { address: "AA:BB:CC:DD:EE:FF" },
    ...{ locationId: "shop", managedBy: "remote", controllerId: "tablet", controllerName: null },
    ...{ storedStatus: "offline", lastSeenAt: null, serialNumber: null, model: null },
    ...{
      fiscalMemorySerialNumber: null,
      firmwareVersion: null,
      charsPerLine: null,
      reversalTenders: null,
      addressKeys: null,
      createdAt: 0,
      updatedAt: 0,
    },
  });
  stores.controllers.put(ORG, "tablet", { fcmToken: "t0k", updatedAt: 0 });
  start();
});
afterEach(async () => {
  wakeUps.stop();
  // Time may have leapt past an answer: its end would be counted in the next test.
  await until("the end of what is under way", () => heard === sent);
  await relay.stop(true);
});

function start(): void {
  const { clock, stores, writer, bus } = bench;
  let messages = 0;
  const send = createRelay({
    ...{ url: `http://127.0.0.1:${relay.port}/wake`, key: KEY, clock, version: "1" },
    messageId: () => `wake_${++messages}`,
  });
  wakeUps = startWakeUps({
    ...{ stores, writer, bus, clock },
    log: createLog({ level: "info", clock, sink: { write: (text) => lines.push(text) } }),
    isConnected: () => isConnected,
    waiting: () => bench.queue.waiting(),
    woken: (deviceId, controllerId) => bench.queue.woken(deviceId, controllerId),
    async send(wakeUp, signal) {
      sent += 1;
      const outcome = await send(wakeUp, signal);
      heard += 1;
      return outcome;
    },
  });
}
/** Waits until the relay has answered so often in all. */
async function asked(count: number): Promise<void> {
  await until(`answer ${count} of the relay`, () => heard === count);
  await bench.atRest();
}
/** Lets time pass second by second. @returns the seconds in which the relay was asked */
async function secondsAsked(seconds: number): Promise<number[]> {
  const found: number[] = [];
  for (let second = 1; second <= seconds; second += 1) {
    const before = sent;
    await bench.clock.advanceAsync(1_000);
    if (sent === before) continue;
    found.push(second);
    await asked(sent);
  }
  return found;
}
const tokenOf = () => bench.stores.controllers.get(ORG, "tablet")?.fcmToken;

test("a command for a controller that is not connected wakes it", async () => {
  const commandId = await bench.submit();
  await asked(1);
  const [{ headers, body } = { headers: new Headers(), body: "" }] = received;
  expect(JSON.parse(body)).toEqual({
    ...{ token: "t0k", priority: "high", ttlSeconds: 60 },
    data: { type: "wake", ...TABLET, deviceId: DEVICE, commandId },
  });
  expect(headers.get("authorization")).toBe(`Bearer ${KEY}`);
  const seconds = headers.get("webhook-timestamp");
  const signature = new Bun.CryptoHasher("sha256", KEY).update(`${seconds}.${body}`).digest("hex");
  expect(headers.get("x-service-signature")).toBe(`t=${seconds},v1=${signature}`);
  expect(headers.get("webhook-id")).toBe("wake_1");
});

test("one that was woken is left alone for ten seconds, whatever comes, and woken while it waits", async () => {
  await bench.submit();
  await asked(1);
  await bench.submit();
  expect(await secondsAsked(59)).toEqual([13, 40]);
});

test("a command is on its way once the relay has taken the wake-up, and is sent when the app is there", async () => {
  const [first, second] = [await bench.submit(), await bench.submit()];
  await asked(1);
  await until("the first", () => bench.status(first) === "sent");
  expect(bench.stores.commands.get(ORG, first)).toMatchObject({ controllerId: "tablet" });
  expect([bench.status(second), bench.sent]).toEqual(["pending", []]);
  await bench.restart();
  Object.assign(bench.controller, { connected: true, id: "tablet" });
  bench.queue.ready(DEVICE);
  await bench.atRest();
  expect(bench.out()).toEqual([`dispatch ${first}`]);
  expect(bench.sent).toMatchObject([{ begun: false, epoch: 2 }]);
});

test("a command on its way to an app that never comes ends after 60 s, and the next one is woken for", async () => {
  const first = await bench.submit();
  await asked(1);
  expect(await secondsAsked(50)).toEqual([13, 40]);
  const second = await bench.submit();
  await until("the first", () => bench.status(first) === "sent");
  expect(await secondsAsked(10)).toEqual([1]);
  expect([bench.status(first), bench.status(second)]).toEqual(["timeout", "pending"]);
  expect(bench.result(first)).toMatchObject({
    errorCode: "E500",
    data: { outcome: "not_printed" },
  });
  expect(await secondsAsked(10)).toEqual([3]);
  await until("the second", () => bench.status(second) === "sent");
});

test("what the relay did not take waits on", async () => {
  answer = () => new Response("", { status: 503 });
  const id = await bench.submit();
  await asked(1);
  expect(bench.status(id)).toBe("pending");
});

test("a wake-up that is taken when the app is there already changes nothing", async () => {
  answer = async () => {
    Object.assign(bench.controller, { connected: true, id: "tablet" });
    bench.queue.ready(DEVICE);
    await bench.atRest();
    return new Response();
  };
  const id = await bench.submit();
  await asked(1);
  expect(bench.out()).toEqual([`dispatch ${id}`]);
  expect(bench.stores.commands.get(ORG, id)).toMatchObject({ status: "sent", epoch: 1 });
});

test("a wake-up that the relay does not take is repeated after 1, 3, 9 and 27 seconds", async () => {
  answer = () => new Response("", { status: 503 });
  await bench.submit();
  await asked(1);
  expect(await secondsAsked(59)).toEqual([1, 4, 13, 40]);
  expect(lines.join()).toContain("The relay answered 503");
});

test("nobody is woken for a command that does not wait any more", async () => {
  const commandId = await bench.submit();
  await asked(1);
  await bench.tick(60_000);
  expect(bench.status(commandId)).toBe("timeout");
  expect(await secondsAsked(60)).toEqual([]);
});

test("a controller that connects is not woken again", async () => {
  answer = () => new Response("", { status: 503 });
  await bench.submit();
  await asked(1);
  const event = { type: "controller.connected", ...TABLET } as const;
  bench.bus.publish({ seq: 1, id: "evt_1", createdAt: 0, event });
  expect(await secondsAsked(59)).toEqual([]);
});

test.each([
  ["410", () => new Response("", { status: 410 })],
  ["unregistered", () => Response.json({ unregistered: true })],
  ["404 unregistered", () => Response.json({ unregistered: true }, { status: 404 })],
])("a token that nobody has any more is removed: %s", async (_, refusal) => {
  answer = refusal;
  await bench.submit();
  await asked(1);
  expect(tokenOf()).toBeNull();
  expect(await secondsAsked(59)).toEqual([]);
});

test("a token that was registered meanwhile stays", async () => {
  answer = () => {
    bench.stores.controllers.put(ORG, "tablet", { fcmToken: "new", updatedAt: 1 });
    return new Response("", { status: 410 });
  };
  await bench.submit();
  await asked(1);
  expect(tokenOf()).toBe("new");
});

test("what waits after a start is woken for", async () => {
  await bench.submit();
  await asked(1);
  wakeUps.stop();
  await bench.restart();
  start();
  await asked(2);
});

test("a relay that does not answer is given up after ten seconds", async () => {
  answer = () => new Promise(() => undefined);
  await bench.submit();
  await until("the request", () => received.length === 1);
  await bench.clock.advanceAsync(10_000);
  await until("the end", () => heard > 0);
  await until("the log", () => lines.join().includes("did not answer within 10 s"));
});

test.each([200, 410, 503])(
  "an answer of %d that never ends is not read to its end",
  async (status) => {
    let isHungUp = false;
    const piece = new Uint8Array(65_536);
    answer = () =>
      new Response(
        new ReadableStream({
          pull: (stream) => stream.enqueue(piece),
          cancel() {
            isHungUp = true;
          },
        }),
        { status },
      );
    await bench.submit();
    await asked(1);
    await until("the end of the answer", () => isHungUp);
    expect(tokenOf()).toBe(status === 410 ? null : "t0k");
  },
);

test.each([
  [
    "without a token",
    () => bench.stores.controllers.put(ORG, "tablet", { fcmToken: null, updatedAt: 1 }),
  ],
  ["that is connected", () => (isConnected = true)],
])("a controller %s is not woken", async (_, prepare) => {
  prepare();
  await bench.submit();
  expect(await secondsAsked(59)).toEqual([]);
  expect(received).toEqual([]);
});
