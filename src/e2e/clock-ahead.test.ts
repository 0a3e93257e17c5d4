/** A start with a wall clock that was set since the last run: what was sent a moment ago is not old. */

import { expect, test } from "bun:test";
import { withDatabase } from "./harness/stopped-shop.ts";
import { receiptsOf, sellKeyed } from "./outages/restored.ts";
import {
  COMPLETED,
  endOf,
  inWorld,
  isFinal,
  statusOf,
  submitSale,
  untilAlert,
} from "./outages/scene.ts";

const DAY_MS = 86_400_000;

/** As if the clock of the last run, which is over, had been behind that of the next one by so much. */
function wasBehind(file: string, ms: number): void {
  withDatabase(file, (database) => {
    const value = (name: string) => `(SELECT value FROM appliance_values WHERE name = '${name}')`;
    const [{ wall } = { wall: 0 }] = database
      .query<{ wall: number }, []>(`SELECT CAST(${value("time.counted")} AS INTEGER) AS wall`)
      .all();
    const before = String(wall - ms);
    database.run(
      `UPDATE appliance_values SET value = replace(value, '${wall} ', '${before} ')
       WHERE name = 'time.counted'`,
    );
    database.run(
      `UPDATE appliance_values SET value = replace(value, ' ${wall}', ' ${before}')
       WHERE name = 'time.boot'`,
    );
    database.run(`UPDATE commands SET expires_at = expires_at - ${ms} WHERE finished_at IS NULL`);
  });
}

test.concurrent.each([2, 31])(
  "a clock that is %d days ahead at a start ends no key of a till, and is told in the log",
  (days) =>
    inWorld({}, async (world) => {
      const first = await sellKeyed(world, "sale-1");
      const { id } = first.body.command;
      expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
      const printed = await receiptsOf(world);
      await world.killGateway();
      wasBehind(world.database, days * DAY_MS);
      await world.restartGateway();
      expect(world.gateway.output()).toContain("the clock was set");
      const again = await sellKeyed(world, "sale-1");
      expect(again.body.command.id).toBe(id);
      expect(await receiptsOf(world)).toBe(printed);
    }),
);

test.concurrent("nor the time of a sale that waits", () =>
  inWorld({}, async (world) => {
    await world.printer.kill();
    await untilAlert(world, "device_disconnected");
    const { id } = await submitSale(world);
    expect(isFinal(await statusOf(world, id))).toBe(false);
    await world.killGateway();
    wasBehind(world.database, 2 * DAY_MS);
    await world.restartGateway();
    expect(isFinal(await statusOf(world, id))).toBe(false);
    await world.restartPrinter();
    expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
  }));
