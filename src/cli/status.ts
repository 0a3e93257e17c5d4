/** `fiscald status`: what runs, what each printer is doing, and what needs a person. */

import type { Command } from "commander";
import { formatMinor, toMinor } from "#core/money.ts";
import { openDatabase } from "#db/connection.ts";
import { isDamage } from "#db/snapshot.ts";
import { requireWhole } from "../app/whole-check.ts";
import type { GoodBackups } from "../backup/newest-backup.ts";
import { stateFiles } from "../config/state-files.ts";
import type { Config } from "../config.ts";
import type { HealthCheck } from "../modules/health/schema.ts";
import { organizationRecord } from "../modules/organizations/records.ts";
import { linesFor } from "./alert-lines.ts";
import {
  type Box,
  type BoxOptions,
  boxCommand,
  LOST_SHOP,
  organizationId,
  withBox,
} from "./box.ts";
import { awayText, damagedFailure } from "./damaged-text.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { type Column, folded, printFitted } from "./fitted.ts";
import { askHealth } from "./gateway-answer.ts";
import { knownBackups } from "./known-backups.ts";
import { inLocalTime, localTime, shortTime, span } from "./local-time.ts";
import { harmless, printJson, printLine } from "./output.ts";
import { OWNER_STEP, ownerLine } from "./owner-line.ts";
import { boxToken, type GatewayPresence, gatewayPresence, noGateway } from "./running-gateway.ts";
import { otherVersionText, restartLine } from "./service-state.ts";
import { loadSettings, nextLine } from "./settings-options.ts";
import { type DeviceView, readingWords, type ShopView, viewShop } from "./shop-view.ts";
import { lastUpgrade, type UnendedUpgrade, unendedUpgrade } from "./update-told.ts";

/** The gateway as it says of itself; without checks where none runs. */
interface GatewayView {
  readonly presence: GatewayPresence;
  readonly version: string | null;
  readonly uptimeSeconds: number | null;
  readonly checks: Readonly<Record<string, HealthCheck>>;
}

/** Something that needs a person, and lines that help. */
interface Need {
  readonly subject: string;
  readonly text: string;
  readonly lines: readonly string[];
}

export function statusCommand(): Command {
  const command = boxCommand("status", "show the printers, their queues and what needs a person");
  return command.action((options: BoxOptions) =>
    withBox(command, async (box) => {
      const { config } = loadSettings(command);
      const presence = gatewayPresence(config["state.dir"]);
      const gateway = await viewGateway(box, presence);
      const shops: ShopView[] = [];
      for (const organization of shownOrganizations(box, options)) {
        shops.push(await viewShop({ command, box, gateway: presence }, organization));
      }
      const damage = presence.kind === "absent" ? damageOf(config) : undefined;
      const isLost = box.stores.organizations.areLost();
      const unended = unendedUpgrade(command, presence.kind !== "absent");
      const needs = [
        ...(unended === undefined || unended.kind === "under_way" ? [] : [needOf(unended)]),
        ...otherVersion(command, gateway),
        ...needsOf({ command, gateway, isLost }, shops),
        ...ownerless(command, box, shops),
      ];
      if (options.json === true) printJson(asJson(gateway, shops, needs));
      else {
        const alerts = shops.flatMap(({ devices }) => devices).flatMap((device) => device.alerts);
        print({
          ...{ gateway, shops, needs, reading: readingWords(command, alerts) },
          ...{ backups: knownBackups(config), now: box.clock.now() },
          update: unended?.kind === "under_way" ? unended.text : lastUpgrade(command),
        });
      }
      if (presence.kind !== "running") throw damage ?? noGateway(command, presence);
      if (needs.length === 0) return;
      const count = needs.length === 1 ? "1 thing needs" : `${needs.length} things need`;
      throw new CliFailure(EXIT.attention, `${count} a person`);
    }),
  );
}

/** What keeps a gateway from being started on the database, as its start looks at it; undefined for nothing. */
function damageOf(config: Config): CliFailure | undefined {
  const file = stateFiles(config["state.dir"]).database;
  const database = openDatabase(file);
  try {
    requireWhole(database, file);
    return undefined;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return damagedFailure(config, error);
  } finally {
    database.close();
  }
}

function shownOrganizations(box: Box, options: BoxOptions) {
  const all = box.stores.organizations.list();
  if (options.org === undefined) return all;
  const id = organizationId(box, options.org);
  return all.filter((organization) => organization.id === id);
}

async function viewGateway(box: Box, presence: GatewayPresence): Promise<GatewayView> {
  const unknown = { presence, version: null, uptimeSeconds: null, checks: {} };
  if (presence.kind !== "running") return unknown;
  try {
    return { presence, ...(await askHealth(presence.url, await boxToken(box))) };
  } catch {
    // Whether it answers at all is found out, and told, with the next question.
    return unknown;
  }
}

function needOf({ text, line }: UnendedUpgrade): Need {
  return { subject: "Update", text, lines: line === undefined ? [] : [line] };
}

function otherVersion(command: Command, { version }: GatewayView): Need[] {
  const text = otherVersionText(version);
  return text === undefined ? [] : [{ subject: "Gateway", text, lines: [restartLine(command)] }];
}

function needsOf(
  where: { readonly command: Command; readonly gateway: GatewayView; readonly isLost: boolean },
  shops: readonly ShopView[],
): Need[] {
  const { command, isLost } = where;
  const { checks } = where.gateway;
  const failing = Object.entries(checks)
    // Those of the printers stand below, one by one, and that of an update has its own line.
    .filter(([name, { status }]) => status !== "ok" && name !== "printers" && name !== "update")
    .map(([name, { status, detail }]) => {
      const text = detail === undefined ? `the ${name} check ${status}` : `${name}: ${detail}`;
      return { subject: "Gateway", text, lines: [] };
    });
  const devices = shops.flatMap((shop) => shop.devices);
  const alerts = devices.flatMap((device) => {
    const pressing = device.alerts.filter(({ severity }) => severity !== "info");
    // Nothing is printed on a device that nobody serves, whatever the severity of that.
    const isUnexplained = device.link === "down" && pressing.length === 0;
    const { underWay } = device;
    const doubt = underWay?.isInDoubt ? [nextLine(command, "command", "show", underWay.id)] : [];
    return (isUnexplained ? device.alerts : pressing).map((alert, index): Need => {
      const own = linesFor(command, alert);
      const lines = index === 0 ? [...new Set([...own, ...doubt])] : own;
      return { subject: device.name, text: alert.message, lines };
    });
  });
  const unset = {
    subject: "Shop",
    text: isLost
      ? `${LOST_SHOP}: stop the gateway, make the shop anew, and start it again`
      : "nobody has set it up yet",
    lines: [nextLine(command, isLost ? "repair" : "setup")],
  };
  const none = {
    subject: "Shop",
    text: "it has no printer yet",
    lines: [nextLine(command, "setup")],
  };
  if (shops.length === 0) return [...failing, unset];
  return [...failing, ...alerts, ...(devices.length === 0 ? [none] : [])];
}

/** Shops in which nobody can log in who may put things right. */
function ownerless(command: Command, { stores }: Box, shops: readonly ShopView[]): Need[] {
  return shops
    .filter(({ organization }) => !stores.users.hasOwner(organization.id))
    .map(({ organization: { id, name } }) => {
      const text = `it has no owner. ${OWNER_STEP}`;
      return { subject: name, text, lines: [ownerLine(command, id)] };
    });
}

function asJson(gateway: GatewayView, shops: readonly ShopView[], needs: readonly Need[]) {
  const { presence, version, uptimeSeconds, checks } = gateway;
  return {
    gateway: {
      running: presence.kind === "running",
      url: presence.kind === "running" ? presence.url : null,
      ...{ version, uptimeSeconds, checks },
    },
    shops: shops.map(({ organization, devices }) => ({
      organization: organizationRecord(organization),
      devices,
    })),
    needs: needs.map(({ subject, text }) => ({ subject, text })),
  };
}

function print({
  gateway,
  shops,
  needs,
  reading,
  backups,
  update,
  now,
}: {
  readonly gateway: GatewayView;
  readonly shops: readonly ShopView[];
  readonly needs: readonly Need[];
  /** How old some of them may be. */
  readonly reading: string | undefined;
  /** The newest that is known here. */
  readonly backups: GoodBackups;
  /** What became of the last one, or becomes of it now. */
  readonly update: string | undefined;
  /** UTC milliseconds. */
  readonly now: number;
}): void {
  const timezone = shops[0]?.organization.timezone ?? "UTC";
  printLine(gatewayLine(gateway));
  const { there, away } = backups;
  const last = away ?? there;
  const made =
    last === undefined
      ? "none is known here"
      : `of ${localTime(last.createdAt, timezone)}: ${away ? awayText(away) : last.file}`;
  for (const line of folded("Backup   ", made)) printLine(line);
  if (update !== undefined) {
    for (const line of folded("Update   ", inLocalTime(update, timezone))) printLine(line);
  }
  for (const shop of shops) {
    const { name, plan } = shop.organization;
    for (const line of folded("Shop     ", `${name}, plan ${plan}`)) printLine(line);
    if (shop.devices.length === 0) continue;
    printLine("");
    printFitted(shop.devices, columnsFor(shop, now));
  }
  printLine("");
  // Without a gateway nobody can say so: the end of the command says why.
  if (needs.length === 0 && gateway.presence.kind === "running")
    printLine("Nothing needs a person.");
  if (needs.length > 0) printLine("Needs a person:");
  for (const { subject, text, lines } of needs) {
    const told = inLocalTime(text, timezone);
    for (const line of folded("- ", `${subject}: ${told}`)) printLine(line);
    for (const line of lines) printLine(`    ${line}`);
  }
  for (const { name, link } of shops.flatMap(({ devices }) => devices)) {
    if (link === "asked") printLine(`${harmless(name)} is being asked for the first time.`);
  }
  if (reading !== undefined) for (const line of folded("", reading)) printLine(line);
}

function gatewayLine({ presence, version, uptimeSeconds }: GatewayView): string {
  if (presence.kind !== "running")
    return "Gateway  does not run: links and most alerts are not known";
  const up = uptimeSeconds === null ? "" : `, up ${span(uptimeSeconds * 1_000)}`;
  return harmless(`Gateway  ${version ?? "runs"} at ${presence.url}${up}`);
}

function columnsFor({ organization }: ShopView, now: number): Column<DeviceView>[] {
  const { timezone } = organization;
  return [
    { heading: "PRINTER", cell: ({ name }) => name },
    { heading: "LINK", cell: ({ link }) => link ?? "?", isWhole: true },
    { heading: "WAITING", cell: ({ waiting }) => String(waiting), isWhole: true },
    {
      heading: "UNDER WAY",
      cell: ({ underWay }) =>
        underWay && `${underWay.type}, ${span(now - Date.parse(underWay.since))}`,
    },
    {
      heading: "LAST RECEIPT",
      cell: ({ lastReceipt }) => {
        if (lastReceipt === null) return null;
        const { fiscalId, total, currency, at } = lastReceipt;
        const number = fiscalId === null ? "no number" : `no. ${fiscalId}`;
        const sum = formatMinor(toMinor(total) ?? 0);
        return `${number}, ${sum} ${currency}, ${shortTime(Date.parse(at), now, timezone)}`;
      },
    },
  ];
}
