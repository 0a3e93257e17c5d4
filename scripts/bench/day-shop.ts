/**
 * A busy shop's day on simulated time, as a process of its own: the whole gateway, three printers and
 * their tills, status polling, a portal that reads events, a webhook over HTTPS, the scheduled backup, the
 * nightly purge, a Z report. Prints what memory it takes each hour and what a receipt adds to it. Argument:
 * how many receipts.
 *
 * The printers are in this process too: what they keep of their receipts is taken off, as it is theirs.
 */

import { heapStats } from "bun:jsc";
import { dirname } from "node:path";
import { seededDice } from "#drivers/testing/dice.ts";
import { SimulatedTime } from "#drivers/testing/simulated-time.ts";
import { drawSale } from "#src/e2e/trade-day/baskets.ts";
import { runErrand } from "#src/e2e/trade-day/errand.ts";
import { Shop } from "#src/e2e/trade-day/shop.ts";
import type { ShopDevice } from "#src/e2e/trade-day/shop-device.ts";
import { dayBackups } from "./day-backup.ts";
import { dayWebhook } from "./day-webhook.ts";

const HOUR_MS = 3_600_000;
const MEGABYTE = 1_048_576;
const BEGINS_AT = Date.UTC(2026, 4, 12, 3);
const OPENS_AFTER_MS = 4 * HOUR_MS;
const OPEN_MS = 14 * HOUR_MS;
const DAY_HOURS = 24;
/** While the shop is open; the first backup of all is made as soon as the gateway runs. */
const BACKUP_AT = "12:00";
const BACKUP_AFTER_MS = 9 * HOUR_MS;
/** Until then the engine compiles and caches fill. */
const WARM_AFTER_HOURS = 9;
const PRINTERS = [
  { driver: "vendorA.isl", model: "x" },
  { driver: "vendorA.isl", model: "p" },
  { driver: "vendorE.zfp", model: undefined },
] as const;

/** At the end of an hour. */
interface Sample {
  readonly hour: number;
  readonly receipts: number;
  /** Bytes. */
  readonly resident: number;
  readonly heap: number;
  readonly objects: number;
}

const receiptsWanted = Number(process.argv[2] ?? 4_000);
const time = new SimulatedTime(BEGINS_AT);
const backups = dayBackups(time, BACKUP_AT);
const webhook = await dayWebhook(time);
const shop = await Shop.open(time, {
  kinds: PRINTERS,
  settings: { "devices.statusSeconds": "15", ...backups.settings, ...webhook.settings },
});
let printed = 0;
let events = 0;

async function till(device: ShopDevice, number: number): Promise<void> {
  const dice = seededDice(number);
  const count = Math.round(receiptsWanted / PRINTERS.length);
  await time.sleepUntil(BEGINS_AT + OPENS_AFTER_MS);
  const look = () => undefined;
  for (let sale = 0; sale < count; sale += 1) {
    await time.sleepUntil(BEGINS_AT + OPENS_AFTER_MS + (sale / count) * OPEN_MS);
    const payload = drawSale(dice, device.profile, number * 100_000 + sale);
    await runErrand(shop, {
      device,
      type: "print_receipt",
      payload,
      look,
      key: `${number}-${sale}`,
    });
    printed += 1;
  }
  await runErrand(shop, { device, type: "z_report", payload: {}, look, key: `${number}-z` });
}

/** A portal that stays open all day. */
async function readEvents(signal: AbortSignal): Promise<void> {
  const { url, credential } = await shop.ask(async (client) => client);
  const headers = { authorization: `Bearer ${credential}` };
  const stream = await fetch(`${url}/api/v1/events/stream`, { headers, signal });
  for await (const part of stream.body ?? []) events += part.length > 0 ? 1 : 0;
}

/** The one after the start, and the one of the day. @returns their bytes */
async function backUp(): Promise<readonly number[]> {
  const stateDir = dirname(shop.database);
  const first = await backups.made(stateDir, BEGINS_AT);
  return [first, await backups.made(stateDir, BEGINS_AT + BACKUP_AFTER_MS)];
}

function sample(hour: number): Sample {
  Bun.gc(true);
  const { heapSize, objectCount } = heapStats();
  const { rss } = process.memoryUsage();
  return { hour, receipts: printed, resident: rss, heap: heapSize, objects: objectCount };
}

async function watch(samples: Sample[]): Promise<void> {
  for (let hour = 1; hour <= DAY_HOURS; hour += 1) {
    await time.sleepUntil(BEGINS_AT + hour * HOUR_MS);
    const taken = sample(hour);
    samples.push(taken);
    const { receipts, resident, heap, objects } = taken;
    const figures = [resident, heap].map((bytes) => `${(bytes / MEGABYTE).toFixed(0)} MB`);
    console.log(
      `  hour ${String(hour).padStart(2)}  ${String(receipts).padStart(5)} receipts  ` +
        `resident ${figures[0]}  heap ${figures[1]}  ${objects} objects`,
    );
  }
}

/** What the printers keep of their receipts in memory: a text of each, in Cyrillic of two bytes. */
function keptByPrinters(): number {
  const texts = shop.devices.flatMap((device) =>
    device.books().receipts.map((receipt) => JSON.stringify(receipt)),
  );
  return texts.reduce((sum, text) => sum + text.length * (/[\u0100-\uffff]/.test(text) ? 2 : 1), 0);
}

await time.run(
  shop.asOwner((owner) =>
    owner.expect("POST", "/org/webhooks", { url: webhook.url, events: ["command.completed"] }),
  ),
);
webhook.holdTime(shop.database);
const closed = new AbortController();
const reading = readEvents(closed.signal).catch((error: unknown) => {
  if (!closed.signal.aborted) throw error;
});
const samples: Sample[] = [];
const [sizes] = await time.run(
  Promise.all([
    backUp(),
    watch(samples),
    ...shop.devices.map((device, at) => till(device, at + 1)),
  ]),
);
closed.abort();
await reading;
const warm = samples.find(({ hour }) => hour === WARM_AFTER_HOURS);
const last = samples.at(-1);
if (warm !== undefined && last !== undefined) {
  const receipts = last.receipts - warm.receipts;
  const printers = (keptByPrinters() / printed) * receipts;
  const added = (last.heap - warm.heap - printers) / receipts;
  const resident = (last.resident - warm.resident) / MEGABYTE;
  console.log(
    `  a receipt after hour ${WARM_AFTER_HOURS} adds ${added.toFixed(0)} bytes to the heap, besides the ` +
      `${(printers / receipts).toFixed(0)} that its printer keeps; resident changed by ${resident.toFixed(0)} MB`,
  );
}
const kilobytes = sizes.map((bytes) => `${(bytes / 1_024).toFixed(0)} kB`);
console.log(
  `  ${printed} receipts, ${webhook.delivered()} deliveries of a webhook, backups of ` +
    `${kilobytes.join(" and ")}, ${events} parts of events read, ${shop.errors.length} errors`,
);
await shop.close();
await webhook.stop();
backups.remove();
process.exit(shop.errors.length === 0 ? 0 : 1);
