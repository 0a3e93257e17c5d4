/** A device that only a profile of the user's own can drive, and one whose profile is faulty. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiClient, type Gateway, registerShop, startGateway } from "./harness/gateway.ts";
import { type SimulatedPrinter, startPrinter } from "./harness/simulator.ts";

const SALE = {
  items: [{ name: "Coffee", quantity: 2, price: 2.5, vatGroup: "VAT1" }],
  payments: [{ method: "voucher", amount: 5 }],
};

describe("profiles in the state directory", () => {
  let folder: string;
  let gateway: Gateway;
  let printer: SimulatedPrinter;
  let till: ApiClient;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "fiscald-profile-"));
    const profiles = join(folder, "state", "drivers");
    mkdirSync(profiles, { recursive: true });
    const put = (name: string, value: unknown) =>
      writeFileSync(join(profiles, name), JSON.stringify(value));
    put("mine.json", { id: "mine", extends: "custom-rt-gen3", tenders: { voucher: "0800" } });
    put("wrong.json", { id: "wrong", extends: "custom-rt-gen3", commands: { sale: "33{" } });
    [gateway, printer] = await Promise.all([
      startGateway(join(folder, "state")),
      startPrinter({ stateFile: join(folder, "printer.state"), driver: "custom.serial" }),
    ]);
    const { key } = await registerShop(gateway.url);
    till = new ApiClient(gateway.url, key);
  });
  afterAll(async () => {
    await Promise.all([gateway.kill(), printer.kill()]);
    rmSync(folder, { recursive: true, force: true });
  });

  async function register(profile: string): Promise<string> {
    const { host, port } = printer;
    const { id } = await till.expect<{ id: string }>("POST", "/devices", {
      name: profile,
      driver: "custom.serial",
      transport: "tcp",
      locationId: "shop",
      connectionParams: { host, port, profile },
    });
    return id;
  }

  test("drive the devices that name them", async () => {
    const deviceId = await register("mine");
    const { id } = await till.submit(deviceId, "print_receipt", SALE);
    const { status, result } = await till.wait(id);
    expect({ status, fiscalId: result?.fiscalId, error: result?.errorMessage }).toEqual({
      status: "completed",
      fiscalId: "0001-0001",
      error: undefined,
    });
    await till.expect("DELETE", `/devices/${deviceId}`);
  });

  test("that are faulty keep no gateway from starting, and tell the device's reason", async () => {
    const deviceId = await register("wrong");
    const { id } = await till.submit(deviceId, "print_receipt", SALE);
    const { status, result } = await till.wait(id);
    expect({ status, code: result?.errorCode, data: result?.data }).toEqual({
      status: "failed",
      code: "E201",
      data: { outcome: "not_printed" },
    });
    expect(result?.errorMessage).toContain("wrong.json) is faulty: commands.sale");
  });
});
