import { expect, test } from "bun:test";
import type { ToController } from "#core/controller/messages.ts";
import { FakeClock } from "../platform/clock.ts";
import { RemoteLink, type RemoteLinkOptions } from "./remote-link.ts";

/** A connection of a controller with so many devices. */
function connected(devices: number) {
  let closed: number | undefined;
  let taken = 0;
  let send = (_: ToController): void => undefined;
  const connection = {
    deviceCount: () => devices,
    receive: () => {
      taken += 1;
    },
    close: () => undefined,
  };
  const controllers: RemoteLinkOptions["controllers"] = {
    devicesOf: () => [],
    connect(_, __, to) {
      send = (message) => to.send(message);
      return connection;
    },
  };
  const line = {
    send: () => undefined,
    close: (code: number) => {
      closed = code;
    },
  };
  const identity = {
    ...{ orgId: "org", controllerId: "c", name: "C", appVersion: "1", deviceModel: "tablet" },
    ...{ osVersion: "os", reportsMarks: true },
  };
  const clock = new FakeClock();
  const link = new RemoteLink(line, identity, { controllers, clock });
  return {
    ...{ link, clock },
    send: (message: ToController) => send(message),
    taken: () => taken,
    closed: () => closed,
  };
}

/** @returns how many announcements in a row are taken, and the code that ends the connection then */
function announcing(devices: number): [number, number | undefined] {
  const { link, clock, taken, closed } = connected(devices);
  const text = JSON.stringify({ type: "device.announce", deviceId: "dev_1", link: "down" });
  for (let count = 0; count < 10_000 && closed() === undefined; count += 1) {
    link.hear(text);
    if (count % 100 === 0) clock.advance(1_000);
  }
  return [taken(), closed()];
}

/** So many messages of a look at a line come within five seconds. @returns what ended the connection */
function showing(requestId: string, count: number): number | undefined {
  const { link, clock, closed, send } = connected(1);
  send({ type: "trace.follow", requestId: "req_1", deviceId: "dev_1" });
  const text = JSON.stringify({ type: "trace.entries", requestId, entries: [], ended: false });
  for (let came = 0; came < count && closed() === undefined; came += 1) {
    link.hear(text);
    if (came % (count / 5) === 0) clock.advance(1_000);
  }
  return closed();
}

test("a controller may announce as often as it has devices", () => {
  const [one, code] = announcing(1);
  const [ten] = announcing(10);
  expect([one > 500, one < 510, code]).toEqual([true, true, 4429]);
  expect(ten).toBeGreaterThan(10 * 500);
});

test("what the gateway has asked to see of a line does not end the connection, but a flood does", () => {
  expect(showing("req_1", 5_000)).toBeUndefined();
  expect(showing("req_1", 20_000)).toBe(4429);
  expect(showing("req_2", 5_000)).toBe(4429);
});
