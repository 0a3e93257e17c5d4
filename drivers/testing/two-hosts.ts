/**
 * Two programs that sell at one simulated device at the same time, neither of which knows of the
 * other, while lines break, power is lost and programs are killed. Everything is drawn by dice in
 * simulated time, so that a seed is one day that can be had again.
 */

import type { DriverCommand } from "#core/driver.ts";
import { findDriver } from "../registry.ts";
import { type Dice, seededDice } from "./dice.ts";
import type { ModelUnderTest } from "./every-model.ts";
import { ShopHost, type Told } from "./shop-host.ts";
import { fiscalIdOf, SimulatedDevice, type SimulatedReceipt } from "./simulated-device.ts";

export interface JointTrade {
  readonly seed: number;
  /** Sales of each of the two. */
  readonly sales: number;
}

/** A sale, what its program tells of it, and what stands in the device's books. */
export interface Sold {
  /** What its lines are called. */
  readonly name: string;
  readonly totalMinor: number;
  readonly told: Told;
  /** What of it is not true; empty when all is. */
  readonly lies: readonly string[];
}

/**
 * Devices that give the number of an annulled receipt again, or keep no trace of one, show no
 * difference between two receipts that are worth the same: there no two are.
 */
const BLIND_MODELS: readonly string[] = ["v2", "gen2"];
/** What the sales are worth elsewhere: few amounts, so that many are alike. */
const TOTALS_MINOR = [500, 501, 750, 1_010] as const;

const HOSTS = ["A", "B"] as const;
/** Between two sales of one program. */
const BETWEEN_MS_MAX = 300;

/** Lets both sell, and compares what they tell with the device's books. */
export async function tradeTogether(
  model: ModelUnderTest,
  { seed, sales }: JointTrade,
): Promise<readonly Sold[]> {
  const driver = findDriver(model.driver);
  if (!driver) throw new RangeError(`no driver ${model.driver}`);
  const device = await SimulatedDevice.start(model);
  try {
    const tills = HOSTS.map((name, index) => {
      const host = new ShopHost(device, driver, seededDice(seed * 31 + index));
      const dice = seededDice(seed * 37 + index);
      return new Till(name, { host, dice, isBlind: BLIND_MODELS.includes(model.model) });
    });
    let isOpen = true;
    const trade = Promise.all(tills.map((till) => till.sell(device, sales))).finally(() => {
      isOpen = false;
    });
    const hosts = tills.map(({ host }) => host);
    const trouble = makeTrouble(device, hosts, { dice: seededDice(seed), goesOn: () => isOpen });
    await device.time.run(Promise.all([trade, trouble]));
    const { receipts } = device.books();
    return tills.flatMap(({ sold }) =>
      sold.map((sale) => ({ ...sale, lies: liesOf(sale, receipts) })),
    );
  } finally {
    await device.stop();
  }
}

type Sale = Omit<Sold, "lies">;

class Till {
  readonly host: ShopHost;
  readonly sold: Sale[] = [];
  readonly #name: string;
  readonly #dice: Dice;
  readonly #isBlind: boolean;

  constructor(
    name: string,
    parts: { readonly host: ShopHost; readonly dice: Dice; readonly isBlind: boolean },
  ) {
    this.#name = name;
    this.host = parts.host;
    this.#dice = parts.dice;
    this.#isBlind = parts.isBlind;
  }

  async sell(device: SimulatedDevice, count: number): Promise<void> {
    for (let number = 1; number <= count; number += 1) {
      const name = `${this.#name}${number}`;
      const totalMinor = this.#totalOf(number);
      const told = await this.host.perform(saleOf(name, totalMinor, this.#dice));
      this.sold.push({ name, totalMinor, told });
      await device.time.sleep(this.#dice(BETWEEN_MS_MAX));
    }
  }

  #totalOf(number: number): number {
    if (this.#isBlind) return 500 + 2 * number + (this.#name === "A" ? 0 : 1);
    return TOTALS_MINOR[this.#dice(TOTALS_MINOR.length)] ?? TOTALS_MINOR[0];
  }
}

/** Of one line or two, paid in cash or with one euro by card. */
function saleOf(name: string, totalMinor: number, dice: Dice): DriverCommand {
  const half = Math.floor(totalMinor / 2);
  const prices = dice(3) === 0 ? [totalMinor] : [half, totalMinor - half];
  const cardMinor = dice(3) === 0 ? 0 : 100;
  const payments = [
    { method: "card", amount: cardMinor / 100 },
    { method: "cash", amount: (totalMinor - cardMinor) / 100 },
  ];
  return {
    id: `cmd_${name}`,
    type: "print_receipt",
    payload: {
      uniqueSaleNumber: "DT577430-0001-0000001",
      items: prices.map((price) => ({ name, quantity: 1, price: price / 100, vatGroup: "VAT2" })),
      payments: payments.filter(({ amount }) => amount > 0),
    },
    original: undefined,
  };
}

/** Between two troubles. */
const TROUBLE_MS = { least: 300, spread: 2_200 } as const;
/** Frames from now until a fault strikes. */
const AT_MAX = 20;
const SIDES = ["before", "after"] as const;

/** One of these, drawn by dice. */
const TROUBLES: readonly ((dice: Dice) => Readonly<Record<string, unknown>> | "kill")[] = [
  () => ({ kind: "drop_before" }),
  () => ({ kind: "drop_after" }),
  () => ({ kind: "garble" }),
  (dice) => ({ kind: "silent", count: 1 + dice(4) }),
  (dice) => ({ kind: "silent_after", count: 1 + dice(4) }),
  (dice) => ({ kind: "unplug", when: SIDES[dice(2)], ms: dice(1_500) }),
  (dice) => ({ kind: "power_loss", when: SIDES[dice(2)], offMs: dice(1_000) }),
  () => "kill",
  () => "kill",
];

async function makeTrouble(
  device: SimulatedDevice,
  hosts: readonly ShopHost[],
  { dice, goesOn }: { readonly dice: Dice; readonly goesOn: () => boolean },
): Promise<void> {
  while (goesOn()) {
    await device.time.sleep(TROUBLE_MS.least + dice(TROUBLE_MS.spread));
    const trouble = TROUBLES[dice(TROUBLES.length)]?.(dice) ?? "kill";
    if (trouble === "kill") hosts[dice(hosts.length)]?.kill();
    else await device.fault({ ...trouble, at: 1 + dice(AT_MAX) });
  }
  await device.clear();
}

/** A receipt is that of its first line: a line of ours in another's is the other one's to tell. */
function liesOf(
  { name, totalMinor, told }: Sale,
  receipts: readonly SimulatedReceipt[],
): readonly string[] {
  const printed = receipts.filter(({ items: [first] }) => first?.name.trim() === name);
  const [receipt] = printed;
  const isTold = told.outcome === "printed";
  const isWhole =
    receipt?.total === totalMinor && receipt.items.every((item) => item.name.trim() === name);
  const isNumber = told.fiscalId === undefined || !receipt || told.fiscalId === fiscalIdOf(receipt);
  return [
    ...(printed.length > 1 ? [`printed ${printed.length} times`] : []),
    ...(told.outcome === "not_printed" && receipt ? ["told as not printed, and was"] : []),
    ...(isTold && !receipt ? ["told as printed, and was not"] : []),
    ...(isTold && receipt && !isWhole ? ["told as printed, with other lines"] : []),
    ...(isTold && !isNumber ? [`told as ${told.fiscalId}`] : []),
  ];
}
