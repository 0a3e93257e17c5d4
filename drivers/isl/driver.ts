/** The ISL family as a driver: connects, and carries out commands by the dialect's table. */

import type { CommandType } from "#core/command/catalogue.ts";
import type { DetectionTraits, Driver } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import { byType } from "../shared/command.ts";
import { TableSession } from "../shared/table-session.ts";
import type { IslCommand } from "./command.ts";
import * as rows from "./commands/index.ts";
import { connectDevice } from "./connect.ts";
import type { IslDialect } from "./dialect.ts";
import { slipOn } from "./put-away.ts";
import { readStatus } from "./read-status.ts";
import { islFrameReaders } from "./trace.ts";
import { readZNumber } from "./z-number.ts";

/**
 * Speeds of the serial port, as delivered first; devices of the older generation are set by
 * switches. Sources: Datecs X manual 2.02 and Eltrade manual 1.1.6 for the first, which
 * edabg/fpgate takes for the whole family; erpnet/ErpNet.FP, ComTransport.cs, for 9,600 after it;
 * the manuals for the range. UNCONFIRMED: in which order the rest is met, which costs time only.
 */
const SETTINGS = [115_200, 9_600, 19_200, 38_400, 57_600].map((baudRate) => ({ baudRate }));

const DETECTION: DetectionTraits = {
  protocol: "isl",
  opensWith: "frame",
  // As delivered (Datecs X manual 2.02, parameter LANport_fpCommands); where serial servers listen.
  tcpPorts: [3999, 9100],
};

/** A driver of the family for the devices of one maker. */
export function islDriver(id: DriverId, dialects: readonly IslDialect[]): Driver {
  const commands = new Map(dialects.map((dialect) => [dialect, commandsOf(dialect)]));
  return {
    id,
    serialSettings: () => SETTINGS,
    frameReader: islFrameReaders(dialects),
    detection: DETECTION,
    commands: new Set([...commands.values()].flatMap((known) => [...known.keys()])),
    async connect(line, environment) {
      const { session, device } = await connectDevice(line, dialects, environment);
      return new TableSession({
        device,
        commands: commands.get(device.dialect) ?? commandsOf(device.dialect),
        family: `protocol ${device.dialect.name}`,
        lacking: (type) => (isStorno(type) ? device.dialect.noStorno : undefined),
        readStatus: () => readStatus(device),
        lastStatus: () => device.status(),
        slip: slipOn(device),
        readZNumber: () => readZNumber(device),
        close: () => session.close(),
      });
    },
  };
}

/** The command types that a dialect's devices can carry out. */
function commandsOf(dialect: IslDialect): ReadonlyMap<CommandType, IslCommand> {
  const commands: readonly IslCommand[] = Object.values(rows);
  const isAble = ({ needs }: IslCommand) =>
    needs.every((action) => dialect.actions[action] !== undefined);
  return byType(commands.filter(isAble));
}

function isStorno(type: CommandType): boolean {
  return type === "print_reversal_receipt" || type === "void_receipt";
}
