/** A device's clock runs in the time zone of its location, as the printer itself shows it. */

import { test } from "bun:test";
import { ApiClient } from "./harness/gateway.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import { inWorld, run } from "./outages/scene.ts";

const MINUTE_MS = 60_000;

/** Hours between the printer's clock, read in its zone, and the time. */
async function hoursOff(world: World): Promise<number> {
  const read = await run(world, "get_date_time");
  const shown = Date.parse(String(read.result?.data?.dateTime));
  return Math.round((shown - Date.now()) / (60 * MINUTE_MS)) + 0;
}

const untilOff = (world: World, hours: number) =>
  until(`a clock that is ${hours} h off`, async () => (await hoursOff(world)) === hours);

async function addLocation(owner: ApiClient, timezone: string): Promise<string> {
  const { location } = await owner.expect<{ location: { id: string } }>("POST", "/org/locations", {
    name: timezone,
    timezone,
  });
  return location.id;
}

test("a printer follows the zone of its location, and without one the organization's", () =>
  inWorld({}, async (world) => {
    const { deviceId } = world;
    const owner = new ApiClient(world.gateway.url, world.ownerToken);
    // None of these zones has daylight time: the hours between them are always the same.
    await owner.expect("PATCH", "/org", { timezone: "Asia/Dubai" });
    await run(world, "set_datetime");
    await untilOff(world, 0);

    const tokyo = await addLocation(owner, "Asia/Tokyo");
    await owner.expect("PATCH", `/devices/${deviceId}`, { locationId: tokyo });
    // What the clock shows is read as a time five hours further east.
    await untilOff(world, -5);
    await owner.expect("PATCH", `/org/locations/${tokyo}`, { timezone: "Asia/Bangkok" });
    await untilOff(world, -3);
    await run(world, "set_datetime");
    await untilOff(world, 0);
    await owner.expect("PATCH", "/org", { timezone: "Asia/Tokyo" });
    await untilOff(world, 0);
    await owner.expect("PATCH", `/devices/${deviceId}`, { locationId: "shop" });
    await untilOff(world, -2);
  }));
