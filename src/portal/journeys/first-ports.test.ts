/** That the port which a form names is the one that a search tries first. */

import { expect, test } from "bun:test";
import { DRIVERS } from "../../../drivers/registry.ts";
import { FIRST_PORTS } from "../parts/drivers.ts";

test("a driver's first port is its own", () => {
  const own = [...DRIVERS].map(([id, { detection }]) => [id, detection?.tcpPorts[0]]);
  expect(Object.fromEntries(own)).toEqual(FIRST_PORTS);
});
