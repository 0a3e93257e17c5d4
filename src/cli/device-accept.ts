/**
 * `fiscald device accept`: a person has compared what a printer printed that nobody here knows of.
 * `fiscald device accept-printer`: it was exchanged for another one.
 */

import type { Command } from "commander";
import { tellsOutcome } from "#core/command/catalogue.ts";
import { boxCaller } from "../modules/auth/user-admin.ts";
import {
  type Box,
  type BoxOptions,
  boxCommand,
  deviceCalled,
  organizationId,
  withBox,
} from "./box.ts";
import { deviceServiceOf } from "./device-service.ts";
import { folded } from "./fitted.ts";
import { printJson, printLine } from "./output.ts";
import { nextLine } from "./settings-options.ts";

export function acceptCommand(): Command {
  const command = boxCommand(
    "accept",
    "say that paper and tills were compared: what the printer has printed is known from now on",
  ).argument("<device>", "its id or name, or that of the device at the same printer");
  return command.action((called: string, options: BoxOptions) =>
    withBox(command, async (box) => {
      const orgId = organizationId(box, options.org);
      const { id: deviceId } = deviceCalled(box, orgId, called);
      const waited = waitingOf(box, deviceId);
      const caller = boxCaller(orgId);
      const { name } = await deviceServiceOf(box).acceptState(caller, deviceId);
      const ended = waited.filter((id) => box.stores.commands.get(null, id)?.result !== null);
      if (options.json === true) {
        printJson({ id: deviceId, accepted: true, ended });
        return;
      }
      tell(`accepted: what ${name} has printed is known from now on, and it goes on`);
      if (ended.length === 0) return;
      tell(
        `${ended.length} that waited ended without a print: each may repeat what was printed. Say ` +
          "what became of them; until then the printer waits:",
      );
      for (const id of ended) printLine(`  ${nextLine(command, "command", "show", id)}`);
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
      const { id: deviceId } = deviceCalled(box, orgId, called);
      const waiting = waitingOf(box, deviceId).length;
      const { name } = await deviceServiceOf(box).acceptPrinter(boxCaller(orgId), deviceId);
      if (options.json === true) {
        printJson({ id: deviceId, accepted: true, waiting });
        return;
      }
      tell(`accepted: the printer that answers at its address is ${name} from now on`);
      if (waiting > 0) tell(`${waiting} that waited for ${name} print there`);
    }),
  );
}

function waitingOf({ stores }: Box, deviceId: string): string[] {
  return stores.commands
    .listUnfinished({ deviceId })
    .filter(({ status, type }) => status === "pending" && tellsOutcome(type))
    .map(({ id }) => id);
}

function tell(text: string): void {
  for (const line of folded("", text)) printLine(line);
}
