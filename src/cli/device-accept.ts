/**
 * `fiscald device accept`: a person has compared what a printer printed that nobody here knows of.
 * `fiscald device accept-printer`: it was exchanged for another one.
 */

import type { Command } from "commander";
import { addressText } from "./address-text.ts";
import { type BoxOptions, boxCommand, deviceCalled, organizationId, withBox } from "./box.ts";
import { doAtDevice } from "./device-deed.ts";
import { endedUnknown, tell, tellEnded, unfinishedAt } from "./ended-unknown.ts";
import { printJson } from "./output.ts";

export function acceptCommand(): Command {
  const command = boxCommand(
    "accept",
    "say that paper and tills were compared: what the printer has printed is known from now on",
  ).argument("<device>", "its id or name, or that of the device at the same printer");
  return command.action((called: string, options: BoxOptions) =>
    withBox(command, async (box) => {
      const orgId = organizationId(box, options.org);
      const { id: deviceId, name } = deviceCalled(box, orgId, called);
      const waited = unfinishedAt(box, deviceId);
      await doAtDevice({ line: command, box }, { deed: "acceptState", orgId, deviceId });
      const ended = endedUnknown(box, waited);
      if (options.json === true) {
        printJson({ id: deviceId, accepted: true, ended });
        return;
      }
      tell(`accepted: what ${name} has printed is known from now on, and it goes on`);
      const why = "each may repeat what was printed";
      tellEnded(command, ended, { why, untilThen: "; until then the printer waits" });
    }),
  );
}

export function acceptPrinterCommand(): Command {
  const command = boxCommand(
    "accept-printer",
    "say that a printer was exchanged for good: the one that stands at its address takes its place",
  ).argument("<device>", "its id or name");
  return command.action((called: string, options: BoxOptions) =>
    withBox(command, async (box) => {
      const orgId = organizationId(box, options.org);
      const before = deviceCalled(box, orgId, called);
      const { id: deviceId, name } = before;
      const waited = unfinishedAt(box, deviceId);
      await doAtDevice({ line: command, box }, { deed: "acceptPrinter", orgId, deviceId });
      const ended = endedUnknown(box, waited);
      const waiting = waited.filter(
        (id) => box.stores.commands.get(null, id)?.result === null,
      ).length;
      if (options.json === true) {
        printJson({ id: deviceId, accepted: true, waiting, ended });
        return;
      }
      const place = addressText(box.stores.devices.get(orgId, deviceId) ?? before);
      if (place === addressText(before)) {
        tell(`accepted: the printer that answers at its address is ${name} from now on`);
      } else {
        tell(`accepted: ${name} is reached at ${place} from now on, where it stands`);
      }
      if (waiting > 0) tell(`${waiting} that waited for ${name} print there`);
      const why = "each may be on the paper of the printer before";
      tellEnded(command, ended, { why });
    }),
  );
}
