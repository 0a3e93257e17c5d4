/** Over which record a printer is asked for its last document, and what waits until then. */

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { SALE } from "./crash/documents.ts";
import { ApiClient, registerDevice } from "./harness/gateway.ts";
import { until } from "./harness/until.ts";
import type { World, WorldOptions } from "./harness/world.ts";
import {
  accept,
  copyState,
  FAMILIES,
  image,
  meanwhile,
  putBack,
  putStateBack,
  receiptsOf,
  sellKeyed,
} from "./outages/restored.ts";
import {
  alertsOf,
  atFrame,
  COMPLETED,
  endOf,
  GENERATIONS,
  inWorlds,
  resolve,
  sell,
  statusOf,
  submitSale,
  untilAlert,
} from "./outages/scene.ts";
import { atTwoLines, reaches, type Ways } from "./outages/two-lines.ts";

async function outcomeOf({ till }: World, id: string): Promise<unknown> {
  return endOf((await till.expect<{ command: never }>("GET", `/commands/${id}`)).command).outcome;
}

/** A receipt that this database does not know. */
async function printed({ printer }: World): Promise<void> {
  const { receiptCount } = await printer.books();
  await printer.fault({ kind: "other_hands", deed: "ring_up", amountMinor: 500 });
  await until("a receipt", async () => (await printer.books()).receiptCount > receiptCount);
}

/** Sells over the first line, and lets the second one work in its place. */
async function sellThenMove(world: World, { lan, usb, atLan, atUsb }: Ways): Promise<void> {
  world.deviceId = atLan;
  expect(endOf(await sell(world))).toEqual(COMPLETED);
  lan.cut();
  usb.mend();
  await reaches(world, atUsb);
  // On disk, so that a copy knows which printer it leads to.
  await until("its numbers", async () => {
    const path = `/devices/${atUsb}`;
    const { serialNumber } = await world.till.expect<Numbered>("GET", path);
    return serialNumber !== null;
  });
  world.deviceId = atUsb;
}

interface Numbered {
  readonly serialNumber: string | null;
}

/** In a test with several printers side by side, each of which is at two lines. */
const atTwoLinesEach = (
  all: readonly WorldOptions[],
  use: (world: World, ways: Ways) => Promise<void>,
  args?: readonly string[],
) => inWorlds(all, (world) => atTwoLines(world, (ways) => use(world, ways)), args);

describe("a printer at two addresses", () => {
  test.concurrent("has told of both records, also of the one that was removed before", () =>
    atTwoLinesEach(FAMILIES, async (world, ways) => {
      await sellThenMove(world, ways);
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      ways.usb.cut();
      await meanwhile(world, async () => undefined);
      await world.till.expect("DELETE", `/devices/${ways.atLan}`);
      ways.usb.mend();
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      expect(await alertsOf(world)).toEqual([]);
    }));

  test.concurrent("may have printed what waits at the record under which it never has", () =>
    atTwoLinesEach(FAMILIES, async (world, ways) => {
      await sellThenMove(world, ways);
      ways.usb.cut();
      const { id } = await submitSale(world);
      await meanwhile(world, () => printed(world));
      await world.till.expect("DELETE", `/commands/${id}`);
      expect(await outcomeOf(world, id)).toBe("unknown");
      ways.usb.mend();
      await untilAlert(world, "documents_unknown");
      expect(await alertsOf(world)).toContain("outcome_unknown");
    }));

  test.concurrent("may have printed what waits at a record that is removed before it is asked", () =>
    atTwoLinesEach(FAMILIES, async (world, ways) => {
      await sellThenMove(world, ways);
      ways.usb.cut();
      const { id } = await submitSale(world);
      await meanwhile(world, () => printed(world));
      await world.till.expect("DELETE", `/devices/${ways.atUsb}`);
      expect(await outcomeOf(world, id)).toBe("unknown");
      ways.lan.mend();
      world.deviceId = ways.atLan;
      await untilAlert(world, "documents_unknown");
      expect(await alertsOf(world)).toContain("outcome_unknown");
    }));

  test.concurrent("prints nothing again over one when its state is accepted at the other", () =>
    atTwoLinesEach(FAMILIES, async (world, ways) => {
      await sellThenMove(world, ways);
      await meanwhile(world, copyState(world));
      const sold = (await sellKeyed(world, "sale-2")).body.command.id;
      expect(endOf(await world.till.wait(sold))).toEqual(COMPLETED);
      const before = await receiptsOf(world);
      await meanwhile(world, putStateBack(world));
      const again = (await sellKeyed(world, "sale-2")).body.command.id;
      await untilAlert(world, "state_restored");
      expect(await statusOf(world, again)).toBe("pending");
      world.deviceId = ways.atLan;
      expect((await accept(world)).status).toBe(200);
      expect(endOf(await world.till.wait(again)).outcome).toBe("unknown");
      expect(await receiptsOf(world)).toBe(before);
      await resolve(world, again, { outcome: "printed" });
      world.deviceId = ways.atUsb;
      expect(endOf(await sell(world))).toEqual(COMPLETED);
    }));
});

describe("a printer that is ahead of an image", () => {
  test.concurrent("is accepted over a record under which it never printed", () =>
    atTwoLinesEach(
      FAMILIES,
      async (world, ways) => {
        world.deviceId = ways.atLan;
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        await meanwhile(world, image(world));
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        await meanwhile(world, putBack(world));
        await untilAlert(world, "state_restored");
        ways.lan.cut();
        ways.usb.mend();
        world.deviceId = ways.atUsb;
        await untilAlert(world, "state_restored");
        await reaches(world, ways.atUsb);
        expect((await accept(world)).status).toBe(200);
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        expect(await alertsOf(world)).toEqual([]);
      },
      ["--printers-when-ahead=hold"],
    ));
});

/** The questions for the last document that the gateway has asked by itself. */
const questions = ({ till, deviceId }: World) =>
  till.list(`&deviceId=${deviceId}&type=get_last_receipt_info`);

describe("a printer on which a receipt waits for paper", () => {
  test.concurrent("is asked behind it, though a question had run out of its time before", () =>
    inWorlds(
      GENERATIONS,
      async (world) => {
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        await world.printer.fault({ kind: "paper_out", ...atFrame("closing") });
        const { id } = await submitSale(world);
        await untilAlert(world, "paper_out");
        await meanwhile(world, async () => undefined);
        await until("a question without an answer", async () =>
          (await questions(world)).some(({ status }) => status === "timeout"),
        );
        expect(await statusOf(world, id)).toBe("processing");
        await world.printer.clear();
        expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
        expect(endOf(await sell(world))).toEqual(COMPLETED);
      },
      ["--commands-overall-seconds=10"],
    ));
});

describe("a printer on two lines, on which a receipt waits for paper", () => {
  const STARTS = [
    ["a start", async () => undefined],
    [
      "a state that was put back",
      ({ premises: { meeting, folder } }: World) =>
        meeting.together("lose the starts", () =>
          rm(join(folder, "state-starts"), { recursive: true }),
        ),
    ],
  ] as const;

  test.concurrent.each(STARTS)(
    "is asked over the other line when the first goes meanwhile, behind %s",
    (_, act) =>
      atTwoLinesEach(GENERATIONS, async (world, ways) => {
        world.deviceId = ways.atLan;
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        await world.printer.fault({ kind: "paper_out", ...atFrame("closing") });
        const { id } = await submitSale(world);
        await untilAlert(world, "paper_out");
        await meanwhile(world, () => act(world));
        await until("the question", async () => (await questions(world)).length > 0);
        ways.lan.cut();
        await world.printer.clear();
        ways.usb.mend();
        expect(endOf(await world.till.wait(id))).toEqual(COMPLETED);
        // It goes on by that, or an owner accepts.
        const told = `&deviceId=${ways.atUsb}&type=get_last_receipt_info&status=completed`;
        await until("its word", async () => (await world.till.list(told)).length > 0);
      }),
  );
});

describe("a printer of two shops", () => {
  test.concurrent("waits in each for that shop's own word", () =>
    inWorlds(
      FAMILIES,
      async (world, { driver }) => {
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        await meanwhile(world, copyState(world));
        expect(endOf(await sell(world))).toEqual(COMPLETED);
        await meanwhile(world, async () => {
          await world.printer.kill();
          await putStateBack(world)();
        });
        const { url } = world.gateway;
        await world.till.expect("DELETE", `/devices/${world.deviceId}`);
        const email = `ann-${world.printer.number}@other.example`;
        const body = { email, password: "a long password", name: "Ann" };
        const { accessToken } = await new ApiClient(url).expect<{ accessToken: string }>(
          "POST",
          "/auth/register",
          { ...body, organizationName: "Other shop" },
        );
        const other = new ApiClient(url, accessToken);
        await world.restartPrinter();
        const { host, port } = world.printer;
        const id = await registerDevice(other, { driver, host, port });
        await until("the alert", async () => {
          const { alerts } = await other.expect<Alerts>("GET", `/devices/${id}/alerts`);
          return alerts.some(({ type }) => type === "state_restored");
        });
        await other.expect("POST", `/devices/${id}/accept-state`);
        const sale = await other.submit(id, SALE.type, SALE.payload);
        expect(endOf(await other.wait(sale.id))).toEqual(COMPLETED);
      },
      ["--auth-registration=open"],
    ));
});

interface Alerts {
  readonly alerts: readonly { readonly type: string }[];
}

describe("a printer that was accepted long ago", () => {
  const LONG_AGO_MS = 30 * 86_400_000;

  test.concurrent("is asked when its record is made anew before that", () =>
    inWorlds(FAMILIES, async (world, { driver }) => {
      expect(endOf(await sell(world))).toEqual(COMPLETED);
      await meanwhile(world, () => printed(world));
      await untilAlert(world, "documents_unknown");
      expect((await accept(world)).status).toBe(200);
      await until("its word", async () => checksOf(world).some(({ state }) => state === "known"));
      await meanwhile(world, async () => {
        const database = new Database(world.database);
        const sql = "UPDATE document_checks SET raised_at = raised_at - ? WHERE device_id = ?";
        database.run(sql, [LONG_AGO_MS, world.deviceId]);
        database.close();
        await printed(world);
        await world.printer.kill();
      });
      await world.till.expect("DELETE", `/devices/${world.deviceId}`);
      await meanwhile(world, () => world.restartPrinter());
      const { host, port } = world.printer;
      world.deviceId = await registerDevice(world.till, { driver, host, port });
      await untilAlert(world, "documents_unknown");
    }));
});

function checksOf({ database: path, deviceId }: World): { readonly state: string }[] {
  const database = new Database(path, { readonly: true });
  try {
    return database
      .query<{ state: string }, [string]>("SELECT state FROM document_checks WHERE device_id = ?")
      .all(deviceId);
  } finally {
    database.close();
  }
}
