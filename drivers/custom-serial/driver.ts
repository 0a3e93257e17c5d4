/** The CUSTOM protocol as a driver, with the profiles that it drives devices by. */

import type { DetectionTraits, Driver } from "#core/driver.ts";
import { byType } from "../shared/command.ts";
import { TableSession } from "../shared/table-session.ts";
import type { CustomCommand } from "./command.ts";
import * as commands from "./commands/index.ts";
import { connectDevice } from "./connect.ts";
import { ProfileSet } from "./profile-set.ts";
import { slipOn } from "./put-away.ts";
import { customFrameReader } from "./trace.ts";
import { readZNumber } from "./z-number.ts";

const COMMANDS = byType<CustomCommand>(Object.values(commands));

const DETECTION: DetectionTraits = {
  protocol: "custom",
  opensWith: "frame",
  tcpPorts: [9100],
};

/** The driver of `custom.serial`. */
export function customDriver(profiles: ProfileSet = ProfileSet.of()): Driver {
  return {
    id: "custom.serial",
    commands: new Set(COMMANDS.keys()),
    detection: DETECTION,
    serialSettings(id) {
      const entry = id === undefined ? profiles.initial : profiles.find(id);
      return entry?.profile?.serial ?? [];
    },
    frameReader: ({ profile }) => customFrameReader(profiles, profile),
    async connect(line, environment) {
      const { session, device } = await connectDevice(line, profiles, environment);
      return new TableSession({
        device,
        commands: COMMANDS,
        family: `the profile ${device.profile.id}`,
        readStatus: () => device.readStatus(),
        slip: slipOn(device),
        readZNumber: () => readZNumber(device),
        close: () => session.close(),
      });
    },
  };
}
