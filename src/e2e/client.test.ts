/** The client at a running gateway: a day of trade, and what goes wrong between the two. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { answer, type Client, createClient, type Order } from "../client/index.ts";
import { thrownBy } from "../client/testing/thrown-by.ts";
import { startGateway } from "./harness/gateway.ts";
import { NO_POLLING } from "./harness/premises.ts";
import { until } from "./harness/until.ts";
import { World } from "./harness/world.ts";

/** Of a receipt: it stands open, and nothing is paid. */
const HELD_FRAME = 3;

let world: World;
let client: Client;
beforeAll(async () => {
  world = await World.open();
  client = createClient({ url: world.gateway.url, apiKey: world.till.credential ?? "" });
});
afterAll(() => world?.close());

const sale = (key: string): Order<"print_receipt"> => ({
  ...{ key, deviceId: world.deviceId, type: "print_receipt" },
  payload: {
    uniqueSaleNumber: "DT000600-0001-0000001",
    items: [{ name: "Coffee", quantity: 2, price: 1.5, vatGroup: "VAT2" }],
    payments: [{ method: "cash", amount: 3 }],
  },
});

async function receipts(): Promise<string[]> {
  return (await world.printer.books()).receipts.map(({ kind, total }) => `${kind} ${total}`);
}

describe("the client at a running gateway", () => {
  test("trades for a day", async () => {
    const { deviceId } = world;
    const { api } = client;
    const cash = await client.print({
      ...{ key: "cash", deviceId, type: "cash_in", payload: { amount: 50 } },
    });
    expect(cash).toMatchObject({ outcome: "printed", data: { cashBalance: 50 } });
    const sold = await client.print(sale("sale-1"));
    expect(sold).toMatchObject({ outcome: "printed", data: { totalAmount: 3 } });

    const list = await answer(
      api.GET("/api/v1/receipts", { params: { query: { deviceId, type: "sale" } } }),
    );
    expect(list.receipts).toHaveLength(1);
    const [stored] = list.receipts;
    expect(stored).toMatchObject({ commandId: sold.command.id, total: 3 });
    const receiptId = stored?.id ?? "";
    const left = async () => {
      const path = "/api/v1/receipts/{receiptId}/reversible";
      return (await answer(api.GET(path, { params: { path: { receiptId } } }))).reversible;
    };
    const whole = await left();
    expect(whole.amount).toBe(3);
    const lines = whole.lines.map(({ line, quantity }) => ({ line, quantity }));
    const reversal = { key: "back-1", receiptId, reason: "operator-error", lines } as const;
    const storno = await client.reverse(reversal);
    expect((await client.wait(storno.id)).status).toBe("completed");
    expect((await client.reverse(reversal)).id).toBe(storno.id);
    expect(await left()).toMatchObject({ amount: 0, lines: [{ quantity: 0 }] });

    const z = await client.print({ key: "z", deviceId, type: "z_report", payload: {} });
    expect(z.outcome).toBe("printed");
    const daily = await answer(
      api.GET("/api/v1/reports/daily", { params: { query: { deviceId } } }),
    );
    const [row] = daily.devices;
    const closed = row?.fiscalDays.find(({ report }) => report?.commandId === z.command.id);
    expect(closed).toMatchObject({
      balanced: true,
      stored: { totals: { gross: 3, reversals: 3, net: 0 } },
    });
    const query = { params: { query: { deviceId } } };
    const journal = await answer(api.GET("/api/v1/reports/journal", { ...query, parseAs: "text" }));
    expect(journal).toContain('<end receipts="2" reports="1"/>');
    expect(await receipts()).toEqual(["sale 300", "storno 300"]);
  });

  test("learns what became of a receipt under which the gateway died, and prints it under a new key", async () => {
    const { printer } = world;
    const before = await receipts();
    const frames = await printer.frames();
    await printer.fault({ kind: "hold", count: 1, at: HELD_FRAME });
    const end = client.print(sale("sale-2"));
    await until("the frame", async () => (await printer.frames()) >= frames + HELD_FRAME);
    const { host } = new URL(world.gateway.url);
    await world.killGateway();
    await printer.clear();
    await printer.release();
    const stateDir = join(world.folder, "state");
    world.gateway = await startGateway(stateDir, { address: host, args: [NO_POLLING] });
    expect(await end).toMatchObject({ outcome: "not_printed", errorCode: "E102" });
    expect(await client.print(sale("sale-2"))).toEqual(await end);
    expect((await client.print(sale("sale-2-2"))).outcome).toBe("printed");
    expect(await receipts()).toEqual([...before, "sale 300"]);
  });

  test("tells what is refused", async () => {
    const before = await receipts();
    await client.print(sale("sale-3"));
    const other = sale("sale-3");
    const changed = { ...other, payload: { ...other.payload, customerCif: "RO1" } };
    expect(await thrownBy(client.print(changed))).toMatchObject({ code: "KEY_REUSED" });
    const unpaid = { ...other, key: "sale-4", payload: { ...other.payload, payments: [] } };
    expect(await thrownBy(client.print(unpaid))).toMatchObject({
      ...{ code: "VALIDATION_ERROR", status: 400, isTemporary: false },
      details: [{ path: "payload.payments", message: expect.any(String) }],
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const stranger = createClient({ url: world.gateway.url, apiKey: "svc_live_none" });
    expect(await thrownBy(stranger.print(other))).toMatchObject({ code: "UNAUTHORIZED" });
    const login = { email: "owner@shop.example", password: "not the password" };
    const guesser = createClient({ url: world.gateway.url, login });
    const me = guesser.api.GET("/api/v1/auth/me");
    expect(await thrownBy(answer(me))).toMatchObject({ code: "UNAUTHORIZED", status: 401 });
    expect(await receipts()).toEqual([...before, "sale 300"]);
  });
});
