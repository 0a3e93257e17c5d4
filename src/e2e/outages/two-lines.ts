/** One printer at two lines, as over the network and by cable, of which one works at a time. */

import { registerDevice } from "../harness/gateway.ts";
import { type SeverableLine, startSeverableLine } from "../harness/severable-line.ts";
import { until } from "../harness/until.ts";
import type { World } from "../harness/world.ts";

export const MODELS = [
  { driver: "vendorA.isl", model: "x" },
  { driver: "vendorA.isl", model: "p" },
  { driver: "vendorE.zfp", model: "v1" },
  { driver: "vendorF.shtrih", model: "fr-k" },
  { driver: "custom.serial", model: "gen3" },
] as const;

export interface Ways {
  readonly lan: SeverableLine;
  readonly usb: SeverableLine;
  readonly atLan: string;
  readonly atUsb: string;
}

/** Waits until the record reaches the printer. */
export const reaches = (world: World, deviceId: string): Promise<true> =>
  until("the line", async () => {
    const path = `/devices/${deviceId}/status`;
    const { effectiveStatus } = await world.till.expect<{ effectiveStatus: string }>("GET", path);
    return effectiveStatus === "online";
  });

/** Lets a printer be at two lines of which the first works, instead of at its own. */
export async function atTwoLines(world: World, use: (ways: Ways) => Promise<void>): Promise<void> {
  const { driver } = world;
  const [lan, usb] = await Promise.all([world.printer, world.printer].map(startSeverableLine));
  if (!lan || !usb) throw new Error("two lines were asked for");
  try {
    usb.cut();
    await world.till.expect("DELETE", `/devices/${world.deviceId}`);
    const atLan = await registerDevice(world.till, { driver, host: lan.host, port: lan.port });
    await reaches(world, atLan);
    const other = { driver, host: usb.host, port: usb.port };
    const atUsb = await registerDevice(world.till, other, "Cable");
    await use({ lan, usb, atLan, atUsb });
  } finally {
    lan.close();
    usb.close();
  }
}
