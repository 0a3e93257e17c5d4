/** `fiscald address`: where other machines of the shop reach the gateway that runs here. */

import { readFileSync } from "node:fs";
import { Command } from "commander";
import { drawCode } from "#drivers/simulator/paper/draw-code.ts";
import type { Picture } from "#drivers/simulator/paper/line.ts";
import { reachableHosts } from "../app/reachable.ts";
import { stateFiles } from "../config/state-files.ts";
import { createSetupCode } from "../modules/auth/setup-code.ts";
import { machineNames } from "../platform/machine-names.ts";
import { withBox } from "./box.ts";
import { printLine } from "./output.ts";
import { gatewayPresence, noGateway } from "./running-gateway.ts";
import { addSettings, loadSettings } from "./settings-options.ts";

/** What a camera needs around a code, in modules. */
const QUIET_MODULES = 2;
/** Two rows of modules, 1 being dark, as one row of a terminal that writes light on dark. */
const BLOCKS = { "01": "▀", "10": "▄", "00": "█", "11": " " } as const;

export function addressCommand(): Command {
  const command = new Command("address")
    .description("show where the shop's other machines reach the gateway")
    .option("--qr", "the first one as a QR code too, for a phone or a tablet");
  return addSettings(command, ["state.dir"]).action(async (options: { qr?: true }) => {
    const { "state.dir": stateDir } = loadSettings(command).config;
    const presence = gatewayPresence(stateDir);
    if (presence.kind !== "running") throw noGateway(command, presence);
    const listening = new URL(readFileSync(stateFiles(stateDir).address, "utf8").trim());
    const code = await awaitedCode(command);
    const urls = reachableUrls(listening, machineNames().addresses).map((url) =>
      code === undefined ? url : `${url}setup#code=${code}`,
    );
    for (const url of urls) printLine(url);
    const [first] = urls;
    if (options.qr === true && first !== undefined) printLine(inBlocks(drawCode("qr", first)));
  });
}

/**
 * What the first person has to know who opens the portal from elsewhere; undefined once there is an
 * organization. Behind the `#` of an address it is sent to nobody.
 */
function awaitedCode(command: Command): Promise<string | undefined> {
  return withBox(command, ({ stores, random }) =>
    stores.organizations.exists() || stores.organizations.areLost()
      ? undefined
      : createSetupCode(stores.appliance, random).text(),
  );
}

/**
 * The addresses by which a gateway is reached, the best for others first.
 * @param addresses those of the machine's interfaces
 */
export function reachableUrls(listening: URL, addresses: readonly string[]): string[] {
  const urlOf = (host: string): string => `http://${host}:${listening.port || "80"}/`;
  const hosts = reachableHosts(listening.hostname, addresses);
  return (hosts.length > 0 ? hosts : ["127.0.0.1"]).map(urlOf);
}

/** Dark on light, as most cameras want it, on a terminal of light letters on dark ground. */
function inBlocks({ width, height, rows }: Picture): string {
  const isDark = (x: number, y: number): boolean =>
    x >= 0 && x < width && (((rows[y]?.[x >> 3] ?? 0) >> (7 - (x & 7))) & 1) === 1;
  const lines: string[] = [];
  for (let y = -QUIET_MODULES; y < height + QUIET_MODULES; y += 2) {
    let line = "";
    for (let x = -QUIET_MODULES; x < width + QUIET_MODULES; x++) {
      const key = `${isDark(x, y) ? 1 : 0}${isDark(x, y + 1) ? 1 : 0}`;
      line += BLOCKS[key as keyof typeof BLOCKS];
    }
    lines.push(line);
  }
  return lines.join("\n");
}
