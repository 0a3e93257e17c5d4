/** A shop to stand in front of: a gateway with simulated printers, and a browser. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closingOf } from "../../e2e/harness/aims.ts";
import {
  type Gateway,
  registerDevice,
  registerShop,
  type Shop,
  type ShownCommand,
  startGateway,
} from "../../e2e/harness/gateway.ts";
import { type SimulatedPrinter, startPrinter } from "../../e2e/harness/simulator.ts";

/** A gateway on a state directory of its own, and the printers that were switched on beside it. */
export interface Box {
  /** The one that runs now; the same address after a restart. */
  readonly gateway: Gateway;
  readonly folder: string;
  killGateway(): Promise<void>;
  restartGateway(): Promise<void>;
  /** Switches a simulated printer on. */
  printer(driver?: string, model?: string): Promise<SimulatedPrinter>;
  close(): Promise<void>;
}

/** A box that nobody has set up. */
export async function openBox(args: readonly string[] = []): Promise<Box> {
  const folder = await mkdtemp(join(tmpdir(), "fiscald-portal-"));
  const state = join(folder, "state");
  let gateway = await startGateway(state, { args });
  const printers: SimulatedPrinter[] = [];
  return {
    get gateway() {
      return gateway;
    },
    folder,
    killGateway: () => gateway.kill(),
    async restartGateway() {
      gateway = await startGateway(state, { args, address: new URL(gateway.url).host });
    },
    async printer(driver, model) {
      const stateFile = join(folder, `printer-${printers.length}`);
      const started = await startPrinter({
        stateFile,
        ...(driver === undefined ? {} : { driver }),
        ...(model === undefined ? {} : { model }),
      });
      printers.push(started);
      return started;
    },
    async close() {
      await gateway.kill();
      await Promise.all(printers.map((printer) => printer.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Where a shop is, and what it is called there. */
export interface Country {
  readonly timezone: string;
  readonly currency: string;
  readonly name: string;
  /** That its printers are simulated as. */
  readonly model: string;
}

const BULGARIA: Country = {
  ...{ timezone: "Europe/Sofia", currency: "EUR", name: "Магазин Роза", model: "x" },
};

/** A shop with an owner and printers of these names. */
export async function setUp(box: Box, names: readonly string[], country = BULGARIA) {
  const { timezone, name, currency, model } = country;
  const shop = await registerShop(box.gateway.url, timezone);
  await shop.owner.expect("PATCH", "/org", { name, currency });
  const printers: { device: string; printer: SimulatedPrinter }[] = [];
  for (const one of names) printers.push(await addPrinter(box, shop, { name: one, model }));
  return { shop, printers };
}

/** One more printer of the shop. @param wish its name, or that and the model it is simulated as */
export async function addPrinter(
  box: Box,
  { owner }: Pick<Shop, "owner">,
  wish: string | { readonly name: string; readonly model: string },
) {
  const { name, model } = typeof wish === "string" ? { name: wish, model: undefined } : wish;
  const printer = await box.printer("vendorA.isl", model);
  const { host, port } = printer;
  const device = await registerDevice(owner, { driver: "vendorA.isl", host, port }, name);
  return { device, printer };
}

/** Sells, and waits for the receipt's end. */
export async function sell({ till }: Shop, device: string, ...lines: readonly SaleLine[]) {
  const command = await order(till, device, lines);
  return till.wait(command.id);
}

/** An article with its price; paid in cash unless told. */
export interface SaleLine {
  readonly name: string;
  readonly price: number;
  readonly quantity?: number;
  readonly vatGroup?: string;
  readonly method?: string;
}

/** Queues a sale. */
export function order(till: Shop["till"], device: string, lines: readonly SaleLine[]) {
  sales += 1;
  const total = lines.reduce(
    (sum, { price, quantity = 1 }) => sum + Math.round(price * quantity * 100),
    0,
  );
  return till.submit(device, "print_receipt", {
    uniqueSaleNumber: `DT000600-0001-${String(sales).padStart(7, "0")}`,
    items: lines.map(({ name, price, quantity = 1, vatGroup = "VAT2" }) => {
      return { name, price, quantity, vatGroup };
    }),
    payments: [{ method: lines[0]?.method ?? "cash", amount: total / 100 }],
  });
}

let sales = 0;

/**
 * Breaks the line at the end of a sale, and lets somebody else ring up the same amount meanwhile:
 * nobody can tell what became of it. @returns the sale's command
 */
export async function sellInDoubt(
  { till }: Shop,
  { device, printer }: { readonly device: string; readonly printer: SimulatedPrinter },
  line: SaleLine,
): Promise<ShownCommand> {
  // What is known of the printer before it is of a receipt that is stored here.
  await till.wait((await order(till, device, [line])).id);
  const amountMinor = Math.round(line.price * (line.quantity ?? 1) * 100);
  const then = { when: "after", ...closingOf(printer) };
  await printer.fault({ kind: "other_hands", deed: "ring_up", amountMinor, ...then });
  await printer.fault({ kind: "unplug", ms: 100, ...then });
  return till.wait((await order(till, device, [line])).id);
}
