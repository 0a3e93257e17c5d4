/** Tills that sell until every sale is printed, whatever happens to the gateway meanwhile. */

import { isFinal, type ShownCommand } from "../harness/gateway.ts";
import type { FloorDevice, ShopFloor } from "./shop-floor.ts";

/** One sale of the day, told from every other by the name of what is sold and by its total. */
export interface Sale {
  readonly name: string;
  readonly totalMinor: number;
  readonly device: FloorDevice;
  readonly uniqueSaleNumber: string;
}

/** A sale that was told to be printed. */
export interface Sold {
  readonly sale: Sale;
  readonly command: ShownCommand;
  /** How often it was submitted; each time but the last it was told not to be printed. */
  readonly submissions: number;
}

/** More submissions of one sale than the gateway is killed. */
const SUBMISSIONS_MAX = 40;
const BAG_MINOR = 50;

/** The sales of all tills: as many for each device. */
export function planSales(count: number, devices: readonly FloorDevice[]): Sale[] {
  return Array.from({ length: count }, (_, index) => {
    const device = devices[index % devices.length];
    if (!device) throw new Error("a shop has at least one device");
    const number = String(index + 1);
    return {
      name: `Sale ${number.padStart(4, "0")}`,
      totalMinor: BAG_MINOR + 100 + index,
      device,
      uniqueSaleNumber: `DT123456-0001-${number.padStart(7, "0")}`,
    };
  });
}

/**
 * Sells: submits under a key of its own, asks again under the same key where the connection broke,
 * waits for the end, and submits under a new key exactly where nothing was printed.
 * @throws Error when it ends in any other way
 */
export async function sell(floor: ShopFloor, sale: Sale): Promise<Sold> {
  for (let submissions = 1; submissions <= SUBMISSIONS_MAX; submissions++) {
    const key = `${sale.uniqueSaleNumber}-${submissions}`;
    const command = await waitFinal(floor, await submit(floor, sale, key));
    if (command.status === "completed") return { sale, command, submissions };
    if (command.result?.data?.outcome === "not_printed") continue;
    throw new Error(`${sale.name} ended as ${JSON.stringify(command)}`);
  }
  throw new Error(`${sale.name} was not printed in ${SUBMISSIONS_MAX} submissions`);
}

async function submit(floor: ShopFloor, sale: Sale, key: string): Promise<string> {
  const body = { deviceId: sale.device.id, type: "print_receipt", payload: payloadOf(sale) };
  const { status, body: answer } = await floor.ask((client) =>
    client.call<{ command: ShownCommand }>("POST", "/commands", {
      body,
      headers: { "idempotency-key": key },
    }),
  );
  if (status !== 202) throw new Error(`${sale.name}: ${status} ${JSON.stringify(answer)}`);
  return answer.command.id;
}

async function waitFinal(floor: ShopFloor, commandId: string): Promise<ShownCommand> {
  for (;;) {
    const command = await floor.ask((client) => client.wait(commandId));
    if (isFinal(command)) return command;
  }
}

/** Two lines and two tenders, so that a half-paid receipt is among what a kill leaves. */
function payloadOf({ name, totalMinor, uniqueSaleNumber }: Sale) {
  return {
    uniqueSaleNumber,
    items: [
      { name, quantity: 1, price: (totalMinor - BAG_MINOR) / 100, vatGroup: "VAT2" },
      { name: "Bag", quantity: 1, price: BAG_MINOR / 100, vatGroup: "VAT1" },
    ],
    payments: [
      { method: "card", amount: 1 },
      { method: "cash", amount: (totalMinor - 100) / 100 },
    ],
  };
}
