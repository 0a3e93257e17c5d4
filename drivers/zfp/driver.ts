/** The ZFP family as a driver: connects, and carries out commands by its table. */

import type { DetectionTraits, Driver } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import { byType } from "../shared/command.ts";
import { TableSession } from "../shared/table-session.ts";
import type { ZfpCommand } from "./command.ts";
import * as rows from "./commands/index.ts";
import { connectDevice } from "./connect.ts";
import type { ZfpDialect } from "./dialect.ts";
import { slipOn } from "./put-away.ts";
import { zfpFrameReader } from "./trace.ts";
import { readZNumber } from "./z-number.ts";

/**
 * Speeds that the serial port may be set to, as delivered first.
 * Source: Tremol protocol description, Bulgaria, rev. 1910211454.
 */
const SETTINGS = [115_200, 9_600, 19_200, 38_400, 57_600].map((baudRate) => ({ baudRate }));

const DETECTION: DetectionTraits = {
  protocol: "zfp",
  opensWith: "control_byte",
  // The same description names 8000; serial servers and other programs use 9100.
  tcpPorts: [8000, 9100],
};

const COMMANDS = byType<ZfpCommand>(Object.values(rows));

/** A driver of the family for the devices of one maker. */
export function zfpDriver(id: DriverId, dialects: readonly ZfpDialect[]): Driver {
  return {
    id,
    serialSettings: () => SETTINGS,
    detection: DETECTION,
    commands: new Set(COMMANDS.keys()),
    frameReader: zfpFrameReader,
    async connect(line, environment) {
      const { session, device } = await connectDevice(line, dialects, environment);
      return new TableSession({
        device,
        commands: COMMANDS,
        family: "protocol ZFP",
        readStatus: () => device.readState(),
        slip: slipOn(device),
        readZNumber: () => readZNumber(device),
        close: () => session.close(),
      });
    },
  };
}
