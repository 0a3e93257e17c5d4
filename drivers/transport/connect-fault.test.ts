import { expect, test } from "bun:test";
import type { DriverEnvironment } from "#core/driver.ts";
import { openTcp } from "./tcp.ts";

/** A port where nobody listens (RFC 1078). */
const CLOSED = 1;

const faultOf = (host: string, setTimer: DriverEnvironment["setTimer"]) =>
  openTcp({ host, port: CLOSED }, { setTimer }).then(
    (line) => line.close(),
    (error: unknown) => error,
  );

test.each(["127.0.0.1", "localhost"])("%s refuses at once where nobody listens", async (host) => {
  const fault = await faultOf(host, () => () => {});
  const message = `Cannot reach ${host}:1: connection refused`;
  expect(fault).toMatchObject({ code: "E100", message });
});

test.each(["127.0.0.1", "localhost"])(
  "what %s refuses later than a host can, nobody does",
  async (host) => {
    // The engine calls it the same when a system has looked for a host in vain.
    const afterThat: DriverEnvironment["setTimer"] = (ms, callback) => {
      if (ms === 2_500) callback();
      return () => {};
    };
    const message = `Cannot reach ${host}:1: nobody answers at that address`;
    expect(await faultOf(host, afterThat)).toMatchObject({ code: "E101", message });
  },
);

test("no timer is left behind", async () => {
  let open = 0;
  await faultOf("127.0.0.1", () => {
    open += 1;
    return () => {
      open -= 1;
    };
  });
  expect(open).toBe(0);
});
