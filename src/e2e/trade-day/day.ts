/**
 * A day of trade and the morning after: who does what when. Everybody is a function of simulated
 * time; the chances of each are drawn from dice of its own, so that nobody's luck depends on how
 * fast somebody else was.
 */

import { zoneOffsetMs } from "#drivers/simulator/host.ts";
import { type Dice, seededDice } from "#drivers/testing/dice.ts";
import { drawReversal, drawSale, oneIn, type PrintedSale, type SalePayload } from "./baskets.ts";
import { type Done, type Errand, runErrand } from "./errand.ts";
import { type Shop, ZONE } from "./shop.ts";
import { fiscalIdOf, type ShopDevice } from "./shop-device.ts";
import { BadLuck } from "./trouble.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The day before the clocks go forward: Europe/Sofia, 28 March 2026, 05:45, which is UTC+2. */
export const DAY_BEGINS_AT = Date.UTC(2026, 2, 28, 3, 45);

/** When things are done, counted from the beginning in time that passes. */
const PLAN = {
  opening: 15 * MINUTE_MS,
  firstXReport: 4 * HOUR_MS,
  secondXReport: 9 * HOUR_MS,
  toTheBank: 10 * HOUR_MS,
  lastSale: 16 * HOUR_MS,
  zReport: 16.5 * HOUR_MS,
  // 06:15 in summer time: the night was an hour shorter.
  nextMorning: 23.5 * HOUR_MS,
  nextLastSale: 25.5 * HOUR_MS,
  nextZReport: 26 * HOUR_MS,
} as const;

/** Minutes between two customers at a till, on average, from so many hours after the beginning. */
const CUSTOMERS: readonly (readonly [fromHours: number, minutes: number])[] = [
  [0, 20],
  [2, 13],
  [6, 4],
  [8, 13],
  [11, 7],
  [13, 25],
];
/** A second till of each device is open around noon. */
const SECOND_TILL = { opens: 5.5 * HOUR_MS, closes: 8.5 * HOUR_MS } as const;
const FLOAT_MINOR = 80_000;
const TO_THE_BANK_MINOR = 10_000;
/** One customer in so many brings something back. */
const REVERSAL_CHANCES = 9;
/** Numbers of sales that one till may use. */
const SALES_OF_A_TILL_MAX = 10_000;
/** How far a device's clock may be off that was just set: it was told the time to the second. */
const CLOCK_MS_MAX = 2_000;

/** What a till has done, for the books. */
export interface Deed {
  readonly errand: Errand;
  readonly done: Done;
}

/** One device's day: its tills, its cash, its reports. */
export class DeviceDay {
  readonly deeds: Deed[] = [];
  readonly luck: BadLuck;
  readonly device: ShopDevice;
  readonly #shop: Shop;
  readonly #dice: Dice;
  /** Sales that something may be brought back of, each once. */
  readonly #sold: PrintedSale[] = [];
  #errands = 0;

  constructor(shop: Shop, device: ShopDevice, seed: number) {
    this.#shop = shop;
    this.device = device;
    this.#dice = seededDice(seed);
    this.luck = new BadLuck(shop, device, seededDice(seed + 1));
  }

  /** From before the opening to after the second Z report. */
  async run(): Promise<void> {
    await this.#until(PLAN.opening);
    await this.#setClock();
    await this.#moveCash("cash_in", FLOAT_MINOR);
    await Promise.all([
      this.#till({ number: 1, opens: PLAN.opening, closes: PLAN.lastSale }),
      this.#till({ number: 2, ...SECOND_TILL }),
      this.#office(),
    ]);
    await this.#until(PLAN.zReport);
    await this.#closeDay();
    await this.#until(PLAN.nextMorning);
    await this.#setClock();
    await this.#till({ number: 3, opens: PLAN.nextMorning, closes: PLAN.nextLastSale });
    await this.#until(PLAN.nextZReport);
    await this.luck.end();
    await this.#closeDay();
  }

  /** Reports and the bank, between the customers. */
  async #office(): Promise<void> {
    await this.#until(PLAN.firstXReport);
    if (this.device.can("x_report")) await this.#do("x_report", {}, untold);
    await this.#until(PLAN.secondXReport);
    if (this.device.can("x_report")) await this.#do("x_report", {}, untold);
    await this.#until(PLAN.toTheBank);
    await this.#moveCash("cash_out", TO_THE_BANK_MINOR);
  }

  async #till(till: { number: number; opens: number; closes: number }): Promise<void> {
    await this.#until(till.opens);
    const dice = seededDice(this.#dice(2 ** 31));
    for (let customer = 0; customer < SALES_OF_A_TILL_MAX; customer++) {
      const elapsedMs = this.#shop.time.now() - DAY_BEGINS_AT;
      const minutes = CUSTOMERS.findLast(([from]) => from * HOUR_MS <= elapsedMs)?.[1] ?? 1;
      await this.#shop.time.sleep(dice(2 * minutes * MINUTE_MS));
      if (this.#shop.time.now() - DAY_BEGINS_AT > till.closes) return;
      await this.luck.strike();
      if (oneIn(dice, REVERSAL_CHANCES)) await this.#takeBack(dice);
      else await this.#sell(dice, till.number * SALES_OF_A_TILL_MAX + customer);
    }
  }

  async #sell(dice: Dice, number: number): Promise<void> {
    const payload = drawSale(dice, this.device.profile, number);
    const { command, fiscalId, wasLookedUp } = await this.#do("print_receipt", payload, () =>
      this.#find("sale", payload),
    );
    const sold = command.result?.data ?? {};
    const { receiptNumber, issuedAt, fiscalMemorySerialNumber, zReportNumber } = sold;
    if (wasLookedUp || fiscalId === null) return;
    if (typeof issuedAt !== "string" || typeof receiptNumber !== "string") return;
    if (typeof fiscalMemorySerialNumber !== "string") return;
    this.#sold.push({
      payload,
      fiscalId,
      receiptNumber,
      issuedAt,
      fiscalMemorySerialNumber,
      zReportNumber: typeof zReportNumber === "string" ? zReportNumber : undefined,
    });
  }

  async #takeBack(dice: Dice): Promise<void> {
    if (!this.device.can("print_reversal_receipt") || this.#sold.length === 0) return;
    const [sale] = this.#sold.splice(dice(this.#sold.length), 1);
    if (!sale) return;
    const reversal = drawReversal(dice, this.device.profile, sale);
    if (!reversal) return;
    const { type, payload } = reversal;
    await this.#do(type, payload, () => this.#find("storno", sale.payload));
  }

  async #moveCash(type: "cash_in" | "cash_out", amountMinor: number): Promise<void> {
    if (!this.device.can(type)) return;
    const moved = () => {
      const { cashIn, cashOut } = this.device.books().day;
      return type === "cash_in" ? cashIn : cashOut;
    };
    const before = moved();
    await this.#do(type, { amount: amountMinor / 100 }, () =>
      moved() === before ? undefined : "done",
    );
  }

  /** Sets the device's clock to the shop's time, and looks at it. */
  async #setClock(): Promise<void> {
    if (!this.device.can("set_datetime")) return;
    await this.#do("set_datetime", {}, untold);
    const { time } = this.device.books().clock;
    const offMs = Math.abs(Date.parse(`${time}Z`) - localMs(this.#shop.time.now()));
    if (offMs > CLOCK_MS_MAX) throw new Error(`${this.device.driver}: its clock says ${time}`);
  }

  async #closeDay(): Promise<void> {
    const { zNumber } = this.device.books();
    await this.#do("z_report", {}, () =>
      this.device.books().zNumber === zNumber ? undefined : "done",
    );
  }

  /**
   * The fiscal id of a sale, or of what was taken back of it; undefined when it is not there. One
   * that stands open and holds a payment counts: a device lets nobody cancel it any more, so it
   * will be printed when the next document needs its place.
   */
  #find(kind: "sale" | "storno", { items }: SalePayload): string | undefined {
    const name = items[0]?.name;
    const { receipts, openDocument, zNumber } = this.device.books();
    const found = receipts.findLast((one) => one.kind === kind && one.items[0]?.name === name);
    if (found) return fiscalIdOf(found);
    const isOpen = openDocument?.kind === kind && openDocument.items?.[0]?.name === name;
    if (!isOpen || (openDocument.paid ?? 0) === 0) return undefined;
    return fiscalIdOf({ ...openDocument, zNumber: zNumber + 1 });
  }

  async #do(type: string, payload: object, look: Errand["look"]): Promise<Done> {
    const device = this.device;
    this.#errands += 1;
    const key = `${device.id}-${this.#errands}`;
    const errand: Errand = { device, type, payload, key, look };
    const done = await runErrand(this.#shop, errand);
    this.deeds.push({ errand, done });
    return done;
  }

  #until(sinceBeginMs: number): Promise<void> {
    return this.#shop.time.sleepUntil(DAY_BEGINS_AT + sinceBeginMs);
  }
}

/** Nothing on the device tells whether it was done; doing it again does no harm. */
function untold(): undefined {
  return undefined;
}

/** The shop's local time, as if it were UTC. */
function localMs(instant: number): number {
  return instant + zoneOffsetMs(ZONE, instant);
}
