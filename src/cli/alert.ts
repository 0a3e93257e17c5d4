/** `fiscald alert`: what printers need a person for, and what they did. */

import { Command, Option } from "commander";
import { ALERT_SEVERITIES, type AlertSeverity } from "#core/device/alerts.ts";
import { linesFor } from "./alert-lines.ts";
import { type BoxOptions, boxCommand, deviceCalled, organizationId, withBox } from "./box.ts";
import { folded } from "./fitted.ts";
import { inLocalTime, localTime } from "./local-time.ts";
import { printJson, printLine } from "./output.ts";
import { printPastAlerts } from "./past-alerts.ts";
import { gatewayPresence, noGateway } from "./running-gateway.ts";
import { loadSettings } from "./settings-options.ts";
import { type AlertView, readingWords, viewShop } from "./shop-view.ts";

interface ListOptions extends BoxOptions {
  readonly severity?: AlertSeverity;
  readonly device?: string;
  readonly past?: true;
}

export function alertCommand(): Command {
  return new Command("alert")
    .description("see what printers need a person for")
    .addCommand(listCommand());
}

function listCommand(): Command {
  const command = boxCommand("list", "list the alerts, and what to do about each")
    .addOption(new Option("--severity <WORD>", "only these").choices(ALERT_SEVERITIES))
    .option("--device <DEVICE>", "only of this device: its id or name")
    .option("--past", "those that have ended, newest first, from when until when");
  return command.action((options: ListOptions) =>
    withBox(command, async (box) => {
      const organization = box.stores.organizations.of(organizationId(box, options.org));
      const { severity, device } = options;
      const wanted = device && deviceCalled(box, organization.id, device).id;
      if (options.past === true) {
        const isJson = options.json === true;
        printPastAlerts(box, organization, { severity, deviceId: wanted, isJson });
        return;
      }
      const gateway = gatewayPresence(loadSettings(command).config["state.dir"]);
      const { devices } = await viewShop({ command, box, gateway }, organization);
      const alerts = devices
        .filter(({ id }) => wanted === undefined || id === wanted)
        .flatMap((one) => one.alerts)
        .filter((alert) => severity === undefined || alert.severity === severity);
      if (options.json === true) printJson(alerts);
      else if (alerts.length > 0) print(command, alerts, organization.timezone);
      else if (gateway.kind === "running") printLine("There are no alerts.");
      else printLine("None is stored; what the printers say now is not known.");
      // What is stored was told; what the printers say now only a gateway knows.
      if (gateway.kind !== "running") throw noGateway(command, gateway);
    }),
  );
}

function print(command: Command, alerts: readonly AlertView[], timezone: string): void {
  for (const alert of alerts) {
    const { severity, deviceName, type, message, detectedAt } = alert;
    const since = localTime(Date.parse(detectedAt), timezone);
    const what = inLocalTime(message, timezone);
    const about = `${deviceName}, ${type}, since ${since}: ${what}`;
    for (const line of folded(severity.padEnd(9), about)) printLine(line);
    for (const line of linesFor(command, alert)) printLine(`  ${line}`);
  }
  const reading = readingWords(command, alerts);
  if (reading !== undefined) for (const line of folded("", reading)) printLine(line);
}
