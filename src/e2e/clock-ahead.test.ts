/** A start with a wall clock that was set since the last run: what was sent a moment ago is not old. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { withDatabase } from "./harness/stopped-shop.ts";
import { receiptsOf, sellKeyed } from "./outages/restored.ts";
import { COMPLETED, endOf, inWorld } from "./outages/scene.ts";

const DAY_MS = 86_400_000;

test.concurrent.each([2, 31])(
  "a clock that is %d days ahead at a start ends no key of a till",
  (days) =>
    inWorld({}, async (world) => {
      const first = await sellKeyed(world, "sale-1");
      const { id } = first.body.command;
      expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
      const printed = await receiptsOf(world);
      await world.killGateway();
      // The clock of the last run was behind by so much.
      withDatabase(join(world.folder, "state/fiscald.db"), (database) => {
        const value = (name: string) =>
          `(SELECT value FROM appliance_values WHERE name = '${name}')`;
        const [{ wall } = { wall: 0 }] = database
          .query<{ wall: number }, []>(`SELECT CAST(${value("time.counted")} AS INTEGER) AS wall`)
          .all();
        const before = String(wall - days * DAY_MS);
        database.run(
          `UPDATE appliance_values SET value = replace(value, '${wall} ', '${before} ')
         WHERE name = 'time.counted'`,
        );
        database.run(
          `UPDATE appliance_values SET value = replace(value, ' ${wall}', ' ${before}')
         WHERE name = 'time.boot'`,
        );
      });
      await world.restartGateway();
      const again = await sellKeyed(world, "sale-1");
      expect(again.body.command.id).toBe(id);
      expect(await receiptsOf(world)).toBe(printed);
    }),
);
