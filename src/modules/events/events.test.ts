import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import type { EventType } from "#core/events.ts";
import { createEventBus } from "../../events/bus.ts";
import { EventLog } from "../../events/event-log.ts";
import { type RunningHttp, startHttp } from "../../http/listen.ts";
import { systemClock } from "../../platform/clock.ts";
import { createRandom } from "../../platform/random.ts";
import { createReportsBench, type ReportsBench } from "../reports/testing/reports-bench.ts";
import { type HeardEvent, openSocket, openStream, type TestListener } from "./testing/listeners.ts";

const TICKET = "/api/v1/events/ticket";
const DONE = { success: true, data: {} } as const;
/** The last thing that each listener of these tests waits for. */
const LAST: EventType = "device.released";

let bench: ReportsBench;
let http: RunningHttp;
const open: TestListener[] = [];

beforeEach(async () => {
  bench = await createReportsBench();
  http = startHttp(bench.client.app, { hostname: "127.0.0.1", port: 0, clock: systemClock });
});
afterEach(async () => {
  for (const listener of open.splice(0)) listener.hangUp();
  await http.stop(0);
  bench.close();
});

const WAYS = { "a WebSocket": openSocket, "server-sent events": openStream };
type Way = keyof typeof WAYS;

/** Asks to listen, as the shop's owner unless other headers are given. */
function ask(way: Way, query = "", headers = bench.owner.headers): TestListener {
  const listener = WAYS[way](http.url, query, headers);
  open.push(listener);
  return listener;
}
/** Listens. */
async function listen(...asked: Parameters<typeof ask>): Promise<TestListener> {
  const listener = ask(...asked);
  await listener.opened;
  return listener;
}

const typesOf = (events: readonly HeardEvent[]) => events.map(({ type }) => type);
const countOf = (type: EventType) => (events: readonly HeardEvent[]) =>
  events.filter((one) => one.type === type).length;
const isLast = (events: readonly HeardEvent[]) => events.at(-1)?.type === LAST;

/** A change of the shop that every listener of devices hears. */
function removeDevice(deviceId: string) {
  return bench.owner.delete(`/api/v1/devices/${deviceId}`);
}
async function addDevice(name = "Till 9") {
  const answer = await bench.owner.post("/api/v1/devices", {
    ...{ name, driver: "vendorA.isl", transport: "tcp", managedBy: "remote" },
    ...{ locationId: "front", connectionParams: { host: "10.0.0.99", port: 4999 } },
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.field("id");
}

/** A ticket; the answer to it shows that the connection which it opens is that of its caller. */
async function ticket(headers?: Record<string, string>): Promise<string> {
  const client = headers ? bench.client.with(headers) : bench.owner;
  const answer = await client.post(TICKET);
  expect(answer.status).toBe(201);
  return answer.field("ticket");
}

describe.each(Object.keys(WAYS) as Way[])("by %s", (way) => {
  test("a listener hears what happens, in order, with the records of the API", async () => {
    const listener = await listen(way);
    const { events } = listener;
    const deviceId = await addDevice();
    await listener.until(countAtLeast("device.updated", 1));
    const commandId = await bench.done("open_drawer", {}, DONE);
    await listener.until(countAtLeast("command.completed", 1));
    await removeDevice(deviceId);
    await listener.until(isLast);
    expect(events.map(({ id }) => id)).toEqual(events.map(({ id }) => id).sort());
    const completed = events.find(({ type }) => type === "command.completed");
    expect(completed).toMatchObject({ orgId: bench.orgId, data: { command: { id: commandId } } });
    const shown = await bench.owner.get(`/api/v1/commands/${commandId}`);
    expect(completed?.data).toEqual(shown.body as object);
    expect(events.at(-1)?.data).toMatchObject({ device: { id: deviceId }, controllerId: null });
  });

  test("a listener goes on after the event that it heard last, and misses nothing", async () => {
    const first = await listen(way);
    const deviceId = await addDevice();
    const [heard] = await first.until(countAtLeast("device.updated", 1));
    first.hangUp();
    await first.ended;
    for (let sale = 0; sale < 3; sale += 1) await bench.done("open_drawer", {}, DONE);
    await removeDevice(deviceId);
    const second = await listen(way, `?since=${heard?.id}`);
    const events = await second.until(isLast);
    expect(countOf("command.completed")(events)).toBe(3);
    expect(events.map(({ id }) => id)).not.toContain(heard?.id);
    const stored = bench.stores.events.listAfter(0, 1_000).map(({ id }) => id);
    expect(events.map(({ id }) => id)).toEqual(stored.slice(stored.indexOf(heard?.id ?? "") + 1));
  });

  test("more than one turn's events are repeated whole, and new ones follow", async () => {
    const listener = await listen(way);
    const deviceId = await addDevice();
    const [heard] = await listener.until(countAtLeast("device.updated", 1));
    await bench.writer.run((tx) => {
      const device = bench.stores.devices.get(bench.orgId, deviceId);
      if (!device) throw new Error("no device");
      for (let nth = 0; nth < 1_000; nth += 1) {
        tx.emit({ type: "device.updated", orgId: bench.orgId, device, controllerId: null });
      }
    });
    const again = await listen(way, `?since=${heard?.id}`);
    await removeDevice(deviceId);
    const events = await again.until(isLast);
    expect(countOf("device.updated")(events)).toBe(1_000);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  test("a listener goes on after its event, however the clock was set since", async () => {
    const deviceId = await addDevice();
    const device = bench.stores.devices.get(bench.orgId, deviceId);
    if (!device) throw new Error("no device");
    const { orgId } = bench;
    const changed = { type: "device.updated", orgId, device, controllerId: null } as const;
    // As a process that ran before, while the clock was an hour ahead.
    const clock = { now: () => bench.clock.now() + 3_600_000 };
    const before = new EventLog({
      ...{ stores: bench.stores, bus: createEventBus(() => undefined) },
      ...{ clock, random: createRandom(clock) },
    });
    await bench.writer.run((tx) => {
      for (let nth = 0; nth < 200; nth += 1) before.store(changed);
      for (let nth = 0; nth < 600; nth += 1) tx.emit(changed);
    });
    const stored = bench.stores.events.listAfter(0, 10_000).map(({ id }) => id);
    for (const left of [700, 599, 300, 1]) {
      const listener = await listen(way, `?since=${stored.at(-left - 1)}`);
      const events = await listener.until((all) => all.length >= left);
      expect(events.map(({ id }) => id)).toEqual(stored.slice(-left));
    }
  });

  test("a credential hears only what it covers", async () => {
    const key = await bench.makeKey(["reports", "devices:read"]);
    const some = await listen(way, "", { "x-api-key": key });
    const all = await listen(way);
    const deviceId = await addDevice();
    await Promise.all([some, all].map((one) => one.until(countAtLeast("device.updated", 1))));
    await bench.done("open_drawer", {}, DONE);
    await removeDevice(deviceId);
    await Promise.all([some.until(isLast), all.until(isLast)]);
    expect(typesOf(all.events)).toContain("command.completed");
    expect(typesOf(some.events).filter((type) => type.startsWith("command."))).toEqual([]);
  });

  test("another organization's events are never told", async () => {
    const other = await bench.otherShop();
    const { client } = await bench.member(other.orgId, "owner");
    const stranger = await listen(way, "", client.headers);
    const own = await listen(way);
    const deviceId = await addDevice();
    await own.until(countAtLeast("device.updated", 1));
    await removeDevice(deviceId);
    await own.until(isLast);
    const since = own.events[0]?.id;
    stranger.hangUp();
    await stranger.ended;
    expect(stranger.events).toEqual([]);
    // Nor by an event of the other shop.
    const asked = ask(way, `?since=${since}`, client.headers);
    expect([4410, 404]).toContain(await asked.ended);
  });

  test("a ticket opens one connection, once", async () => {
    const one = await ticket({ "x-api-key": await bench.makeKey(["devices:read"]) });
    const listener = await listen(way, `?ticket=${one}`, {});
    const deviceId = await addDevice();
    await listener.until(countAtLeast("device.updated", 1));
    await bench.done("open_drawer", {}, DONE);
    await removeDevice(deviceId);
    expect(typesOf(await listener.until(isLast))).toEqual(["device.updated", "device.released"]);
    const path = way === "a WebSocket" ? "/api/v1/events" : "/api/v1/events/stream";
    expect((await bench.client.get(`${path}?ticket=${one}`)).refusal).toBe("401 UNAUTHORIZED");
    const old = await ticket();
    bench.clock.advance(30_000);
    expect((await bench.client.get(`${path}?ticket=${old}`)).refusal).toBe("401 UNAUTHORIZED");
  });

  test("a ticket opens nothing for a credential that has ended since", async () => {
    const { id, key } = (
      await bench.owner.post("/api/v1/org/api-keys", { label: "Screen", scopes: ["devices:read"] })
    ).body as { id: string; key: string };
    const one = await ticket({ "x-api-key": key });
    await bench.owner.patch(`/api/v1/org/api-keys/${id}`, { active: false });
    const path = way === "a WebSocket" ? "/api/v1/events" : "/api/v1/events/stream";
    expect((await bench.client.get(`${path}?ticket=${one}`)).refusal).toBe("401 UNAUTHORIZED");
    const { sessionId, client } = await bench.member(bench.orgId, "operator");
    const login = await ticket(client.headers);
    await bench.writer.run(() =>
      bench.stores.users.endSession(bench.orgId, sessionId, bench.clock.now()),
    );
    expect((await bench.client.get(`${path}?ticket=${login}`)).refusal).toBe("401 UNAUTHORIZED");
  });

  /** Somebody who has heard of one device, and whose login has ended since. */
  async function whoseLoginEnded(): Promise<TestListener> {
    const { sessionId, client } = await bench.member(bench.orgId, "operator");
    const listener = await listen(way, "", client.headers);
    await addDevice();
    await listener.until(countAtLeast("device.updated", 1));
    await bench.writer.run(() =>
      bench.stores.users.endSession(bench.orgId, sessionId, bench.clock.now()),
    );
    return listener;
  }

  test("a listener is ended with its credential", async () => {
    const { ended } = await whoseLoginEnded();
    await bench.clock.advanceAsync(1_000);
    expect([4401, 200]).toContain(await ended);
  });

  test("what happens behind the end of its credential is not told, however soon", async () => {
    const { ended, events } = await whoseLoginEnded();
    await addDevice("Till 10");
    expect([4401, 200]).toContain(await ended);
    expect(countOf("device.updated")(events)).toBe(1);
  });

  test("an event that is not kept any more is said so", async () => {
    const listener = ask(way, "?since=evt_01ARZ3NDEKTSV4RRFFQ69G5FAV");
    expect(await listener.ended).toBe(way === "a WebSocket" ? 4410 : 404);
  });

  test("what is no event's id is refused", async () => {
    const path = way === "a WebSocket" ? "/api/v1/events" : "/api/v1/events/stream";
    const answer = await bench.owner.get(`${path}?since=yesterday`);
    expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", ["since"]]);
  });
});

test("a reader that does not read is ended, and what it holds stays bounded", async () => {
  const deviceId = await addDevice();
  const device = bench.stores.devices.get(bench.orgId, deviceId);
  if (!device) throw new Error("no device");
  const { hostname, port } = new URL(http.url);
  const peer = connect(Number(port), hostname);
  const head = Object.entries(bench.owner.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  peer.write(`GET /api/v1/events HTTP/1.1\r\nHost: x\r\n${head.join("")}${HANDSHAKE}\r\n\r\n`);
  const begun = new Promise((resolve) => peer.once("data", resolve));
  await begun;
  peer.pause();
  // As much as the system takes for it, and what the gateway itself keeps.
  while (!bench.lines.some((line) => line.includes("listener ended"))) {
    bench.clock.advance(1_000);
    await bench.writer.run((tx) => {
      for (let nth = 0; nth < 500; nth += 1) {
        tx.emit({ type: "device.updated", orgId: bench.orgId, device, controllerId: null });
      }
    });
  }
  const bytes = await new Promise<Buffer>((resolve) => {
    const pieces: Buffer[] = [];
    peer.on("data", (piece) => pieces.push(Buffer.from(piece)));
    peer.on("close", () => resolve(Buffer.concat(pieces)));
    peer.resume();
  });
  // The last frame: an end with its code.
  const reason = "Messages are not read fast enough";
  const code = bytes.subarray(-reason.length - 2, -reason.length).readUInt16BE();
  expect([code, bytes.subarray(-reason.length).toString()]).toEqual([4408, reason]);
});

const HANDSHAKE =
  "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" +
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";

test("a WebSocket that asks for beats hears one where nothing happens, and others never do", async () => {
  const heard = await Promise.all(
    ["?beats=1", ""].map(async (query) => {
      const { url, headers } = {
        url: http.url.replace("http", "ws"),
        headers: bench.owner.headers,
      };
      const socket = new WebSocket(`${url}/api/v1/events${query}`, { headers });
      const texts: string[] = [];
      let wake = (): void => undefined;
      socket.addEventListener("message", ({ data }) => {
        texts.push(JSON.parse(String(data)).type);
        wake();
      });
      await new Promise((resolve) => socket.addEventListener("open", resolve));
      const until = (count: number) =>
        new Promise<string[]>((resolve) => {
          wake = () => texts.length >= count && resolve(texts);
          wake();
        });
      return { until, hangUp: () => socket.close() };
    }),
  );
  const [beaten, others] = heard;
  bench.clock.advance(14_999);
  const deviceId = await addDevice();
  await beaten?.until(1);
  // Something was heard since.
  bench.clock.advance(14_999);
  bench.clock.advance(1);
  await beaten?.until(2);
  bench.clock.advance(15_000);
  await beaten?.until(3);
  await removeDevice(deviceId);
  expect(await beaten?.until(4)).toEqual(["device.updated", "beat", "beat", LAST]);
  expect(await others?.until(2)).toEqual(["device.updated", LAST]);
  for (const { hangUp } of heard) hangUp();
});

describe("by server-sent events", () => {
  test("a browser goes on by Last-Event-ID, which goes before its address", async () => {
    const deviceId = await addDevice();
    const [first] = bench.stores.events.listAfter(0, 1);
    await removeDevice(deviceId);
    const headers = { ...bench.owner.headers, "last-event-id": first?.id ?? "" };
    const listener = await listen(
      "server-sent events",
      "?since=evt_01ARZ3NDEKTSV4RRFFQ69G5FAV",
      headers,
    );
    expect(isLast(await listener.until(isLast))).toBe(true);
  });
});

function countAtLeast(type: EventType, count: number) {
  return (events: readonly HeardEvent[]) => countOf(type)(events) >= count;
}
