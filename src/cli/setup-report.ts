/** What a set-up found, made and leaves to do, for a person and for a script. */

import type { Command } from "commander";
import { isSimulated } from "#core/device/device.ts";
import { PLAN_LIMITS } from "#core/limits.ts";
import { timezoneName } from "#core/place.ts";
import { organizationRecord } from "../modules/organizations/records.ts";
import { quoted } from "../platform/user-line.ts";
import { addressText } from "./address-text.ts";
import type { Box } from "./box.ts";
import { harmless, printLine } from "./output.ts";
import { OWNER_STEP, ownerLine } from "./owner-line.ts";
import { gatewayPresence } from "./running-gateway.ts";
import { startLine } from "./service-state.ts";
import { loadSettings, nextLine } from "./settings-options.ts";
import type { SetupWishes } from "./setup-answers.ts";
import type { SettingsChange } from "./setup-state.ts";

/** A key that was made; its text exists only here. */
export interface NewKey {
  readonly id: string;
  readonly label: string;
  readonly key: string;
}

/** What was made this time. */
export interface Made {
  readonly settings: SettingsChange;
  readonly isShopNew: boolean;
  readonly deviceId: string | undefined;
  readonly key: NewKey | undefined;
}

/** Everything that a set-up is about, as it now is. */
export interface Setup {
  readonly stateDir: string;
  readonly settings: SettingsChange;
  readonly organization: ReturnType<typeof organizationRecord>;
  readonly owners: readonly { readonly email: string; readonly name: string }[];
  readonly printers: readonly {
    readonly id: string;
    readonly name: string;
    readonly driver: string;
    readonly connection: string;
    readonly simulated: boolean;
  }[];
  readonly keys: readonly { readonly id: string; readonly label: string; readonly last4: string }[];
}

/** Reads how far the set-up of an organization is. */
export function readSetup(
  command: Command,
  { stores }: Box,
  of: { readonly orgId: string; readonly settings: SettingsChange },
): Setup {
  const { orgId, settings } = of;
  const { organizations, users, devices, apiKeys } = stores;
  const organization = organizations.of(orgId);
  return {
    stateDir: loadSettings(command).config["state.dir"],
    settings,
    organization: organizationRecord(organization),
    owners: users
      .list(orgId)
      .filter(({ role, active }) => role === "owner" && active)
      .map(({ email, name }) => ({ email, name })),
    printers: devices.list(orgId).map((device) => {
      const { id, name, driver } = device;
      const connection = addressText(device);
      return { id, name, driver, connection, simulated: isSimulated(device) };
    }),
    keys: apiKeys
      .list(orgId)
      .filter(({ active }) => active)
      .map(({ id, label, last4 }) => ({ id, label, last4 })),
  };
}

/** One line for each thing; a shop without a printer or key has none. */
export function setupLines({ organization, owners, printers, keys }: Setup): string[] {
  const { name, currency, timezone, plan } = organization;
  return [
    `shop      ${name}: ${currency}, ${timezone}, plan ${plan}`,
    ...owners.map((owner) => `owner     ${owner.name}, ${owner.email}`),
    ...printers.map((one) => `printer   ${one.name}: ${one.driver} at ${one.connection}`),
    ...keys.map(({ label, last4 }) => `API key   ${label}, ends in ${last4}`),
  ].map(harmless);
}

/** What was asked for of a shop that is there, which a set-up leaves as it is; undefined for nothing. */
export function leftOut(wishes: SetupWishes, { organization, owners }: Setup): string | undefined {
  const { shop, currency, timezone, ownerName, ownerEmail } = wishes;
  const { name } = organization;
  const isOwners = (is: (owner: Setup["owners"][number]) => boolean) => owners.some(is);
  const asked = {
    "--shop": shop === undefined || shop === name,
    "--currency": currency === undefined || currency.toUpperCase() === organization.currency,
    "--timezone":
      timezone === undefined || (timezoneName(timezone) ?? timezone) === organization.timezone,
    "--owner-name": ownerName === undefined || isOwners((owner) => owner.name === ownerName),
    "--owner-email":
      ownerEmail === undefined ||
      isOwners(({ email }) => email.toLowerCase() === ownerEmail.toLowerCase()),
  };
  const left = Object.entries(asked).flatMap(([option, isSo]) => (isSo ? [] : [option]));
  if (left.length === 0) return undefined;
  return `the shop is there already and stays as it is, without ${left.join(", ")}: the portal changes it`;
}

/** What was done to the settings file; empty when nothing had to be. */
export function settingsLines({ file, added, byHand, change }: SettingsChange): string[] {
  switch (change) {
    case "written":
      return [`settings  wrote ${file}, with limits for one shop`];
    case "added":
      return [
        `settings  added to ${file}, which is else as it was:`,
        `          ${added.join(", ")}`,
      ];
    case "by_hand":
      return [
        `settings  ${file} lacks limits for one shop; add below limits:`,
        ...byHand.map((line) => `            ${line}`),
      ];
    case "none":
      return [];
    default:
      return change satisfies never;
  }
}

/** A step that is left, with the lines that do it. */
export interface Step {
  readonly text: string;
  readonly lines: readonly string[];
}

/** What to do next. */
export function nextSteps(command: Command, setup: Setup, made: Made) {
  const { config } = loadSettings(command);
  const gateway = gatewayPresence(setup.stateDir);
  const { host, port } = config["http.listen"];
  const isAnywhere = host === "0.0.0.0" || host === "::";
  const url =
    gateway.kind === "running"
      ? gateway.url
      : `http://${isAnywhere ? "localhost" : bracketed(host)}:${port}`;
  const steps: Step[] = [];
  if (gateway.kind === "absent") {
    steps.push({
      text: "Start the gateway, if no service does",
      lines: [startLine(command)],
    });
  } else if (made.settings.change !== "none") {
    steps.push({ text: "Restart the gateway: settings count from its next start", lines: [] });
  }
  if (setup.owners.length === 0) {
    steps.push({ text: OWNER_STEP, lines: [ownerLine(command, setup.organization.id)] });
  }
  if (PLAN_LIMITS[setup.organization.plan].apiKeys === 0) {
    const text = "Pick the plan of your licence; free has no API keys for tills";
    steps.push({ text, lines: [nextLine(command, "plan", "pro")] });
  }
  if (setup.printers.length === 0 || setup.keys.length === 0) {
    const missing = [
      ...(setup.printers.length === 0 ? ["a printer"] : []),
      ...(setup.keys.length === 0 ? ["a key for a till"] : []),
    ].join(" and ");
    steps.push({ text: `Add ${missing}`, lines: [nextLine(command, "setup")] });
  }
  const device = setup.printers.find(({ id }) => id === made.deviceId) ?? setup.printers[0];
  if (device !== undefined) {
    steps.push({ text: "See whether the printer answers", lines: [nextLine(command, "status")] });
  }
  if (device !== undefined && setup.keys.length > 0) {
    const key = made.key?.key ?? "THE-KEY-OF-THE-TILL";
    const text = `Print the first receipt over 1.00, ${device.simulated ? "which counts for nothing" : "a fiscal one"}`;
    if (made.key === undefined) {
      const another = "A key is shown only when it is made; where it is lost, make another one";
      steps.push({ text: another, lines: [nextLine(command, "key", "create", "--label", "Till")] });
    }
    steps.push({ text, lines: receiptLines({ url, key, deviceId: device.id }) });
  }
  return { url, docs: `${url}/api/v1/docs`, steps };
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** A line of curl that queues a receipt and one that waits for its end, folded for a shell. */
function receiptLines(to: { url: string; key: string; deviceId: string }): string[] {
  const { url, key, deviceId } = to;
  const payload = {
    uniqueSaleNumber: "DT000600-0001-0000001",
    items: [{ name: "Coffee", quantity: 1, price: 1, vatGroup: "VAT2" }],
    payments: [{ method: "cash", amount: 1 }],
  };
  const head = JSON.stringify({ deviceId, type: "print_receipt" }).slice(0, -1);
  return [
    `curl -s ${quoted(`${url}/api/v1/commands`)} \\`,
    `  -H 'content-type: application/json' -H 'Idempotency-Key: first-receipt-${deviceId}' \\`,
    `  -H 'x-api-key: ${key}' \\`,
    `  -d '${head},`,
    `    "payload":{"uniqueSaleNumber":"${payload.uniqueSaleNumber}",`,
    `    "items":${JSON.stringify(payload.items)},`,
    `    "payments":${JSON.stringify(payload.payments)}}}'`,
  ];
}

/** Prints what was made and what is left. @param before what was there already */
export function printOutcome(
  { docs, steps }: ReturnType<typeof nextSteps>,
  { setup, made, before }: { setup: Setup; made: Made; before: readonly string[] },
): void {
  const lines = setupLines(setup).filter((line) => !before.includes(line));
  if (lines.length > 0) printLine(before.length > 0 ? "New:" : "Done:");
  for (const line of lines) printLine(`  ${line}`);
  if (made.key !== undefined) {
    printLine("");
    printLine(`The key of ${harmless(made.key.label)}, which is shown only now:`);
    printLine(`  ${made.key.key}`);
  }
  printLine("");
  printLine("Next:");
  for (const [index, { text, lines }] of steps.entries()) {
    printLine(`${index + 1}. ${text}${lines.length === 0 ? "." : ":"}`);
    for (const line of lines) printLine(`   ${line}`);
  }
  printLine("");
  printLine(`For the till's programmer: ${docs}`);
}
