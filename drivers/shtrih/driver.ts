/** The Shtrih-M family as a driver: connects, and carries out commands by their table. */

import type { Driver } from "#core/driver.ts";
import { byType } from "../shared/command.ts";
import { TableSession } from "../shared/table-session.ts";
import type { ShtrihCommand } from "./command.ts";
import * as rows from "./commands/index.ts";
import { connectDevice } from "./connect.ts";
import { slipOn } from "./put-away.ts";
import { readStatus } from "./read-status.ts";
import { shtrihFrameReader } from "./trace.ts";

/**
 * Speeds that the serial port may be set to: newer models are delivered with 115,200, older ones
 * with 4,800. Source: Shtrih-M "FR protocol" 1.10 and "KKT protocol" 2.0.
 */
const SETTINGS = [115_200, 4_800, 9_600, 19_200, 38_400, 57_600].map((baudRate) => ({ baudRate }));

const COMMANDS = byType<ShtrihCommand>(Object.values(rows));

/** The driver of `vendorF.shtrih`. */
export const shtrihDriver: Driver = {
  id: "vendorF.shtrih",
  serialSettings: () => SETTINGS,
  detection: {
    protocol: "shtrih",
    opensWith: "control_byte",
    // 7778 is what devices in the field have; "KKT protocol" 2.0 names 12345.
    tcpPorts: [7778, 12_345, 9100],
  },
  commands: new Set(COMMANDS.keys()),
  frameReader: shtrihFrameReader,
  async connect(line, environment) {
    const { session, device } = await connectDevice(line, environment);
    return new TableSession({
      device,
      commands: COMMANDS,
      family: "this protocol",
      readStatus: () => readStatus(device),
      slip: slipOn(device),
      close: () => session.close(),
    });
  },
};
