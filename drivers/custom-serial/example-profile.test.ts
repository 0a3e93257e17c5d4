/** The example of docs/custom-serial.md: what a reader would write, loaded and printed with. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DriverEnvironment } from "#core/driver.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { customDriver } from "./index.ts";
import { ProfileSet } from "./profile-set.ts";

const DOCS = join(import.meta.dir, "../../docs");
const EXAMPLE: unknown = JSON.parse(
  readFileSync(join(DOCS, "examples/custom-profile.json"), "utf8"),
);

describe("the example profile", () => {
  let device: SimulatedDevice;
  beforeAll(async () => {
    device = await SimulatedDevice.start({
      driver: "custom.serial",
      model: "gen2",
      timezone: "Europe/Rome",
    });
  });
  afterAll(() => device.stop());

  test("stands in the guide as it stands in its file", () => {
    const guide = readFileSync(join(DOCS, "custom-serial.md"), "utf8");
    const [, block = ""] = /```json[^\n]*\n([\s\S]*?)```/.exec(guide) ?? [];
    const { $schema: _schema, ...file } = Object(EXAMPLE);
    expect(JSON.parse(block)).toEqual(file);
  });

  test("is taken for the model that it names, and prints a receipt", async () => {
    const identified: unknown[] = [];
    const environment: DriverEnvironment = {
      ...device.environment(),
      log: (_level, sentence, fields) => {
        if (sentence === "device identified") identified.push(fields?.profile);
      },
    };
    const profiles = ProfileSet.of([{ source: "bench-kube.json", value: EXAMPLE }]);
    const line = await device.openLine();
    const session = await device.time.run(customDriver(profiles).connect(line, environment));
    try {
      const payload = {
        uniqueSaleNumber: "ZK126720-0001-0000001",
        items: [{ name: "Cafea", quantity: 2, price: 2.5, vatGroup: "VAT1" }],
        payments: [{ method: "card", amount: 5 }],
      };
      const command = { id: "cmd_1", type: "print_receipt", payload, original: undefined } as const;
      const success = await device.time.run(session.execute(command, new RecordedProgress()));
      expect(identified).toEqual(["bench-kube"]);
      expect(success.fiscalId).toBe("0001-0001");
    } finally {
      session.close();
    }
    const [receipt] = device.books().receipts;
    // VAT group, tender and text are those of the example.
    expect(receipt).toMatchObject({
      total: 500,
      items: [{ name: "Cafea", group: 2 }],
      payments: [{ method: "debit-card", amount: 500 }],
      texts: ["UI ZK126720-0001-0000001"],
    });
  });
});
