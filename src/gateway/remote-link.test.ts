import { expect, test } from "bun:test";
import { FakeClock } from "../platform/clock.ts";
import { RemoteLink } from "./remote-link.ts";

/** @returns how many announcements in a row are taken, and the code that ends the connection then */
function announcing(devices: number): [number, number | undefined] {
  let closed: number | undefined;
  let taken = 0;
  const connection = {
    deviceCount: () => devices,
    receive: () => {
      taken += 1;
    },
    close: () => undefined,
  };
  const controllers = { devicesOf: () => [], connect: () => connection };
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
  const text = JSON.stringify({ type: "device.announce", deviceId: "dev_1", link: "down" });
  for (let count = 0; count < 10_000 && closed === undefined; count += 1) {
    link.hear(text);
    if (count % 100 === 0) clock.advance(1_000);
  }
  return [taken, closed];
}

test("a controller may announce as often as it has devices", () => {
  const [one, code] = announcing(1);
  const [ten] = announcing(10);
  expect([one > 500, one < 510, code]).toEqual([true, true, 4429]);
  expect(ten).toBeGreaterThan(10 * 500);
});
