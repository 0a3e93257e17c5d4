/**
 * Table of what the growth bench asks of a gateway. `{device}` in a path is one of its
 * devices, `{good}` the one that never failed.
 */

import { COMMAND_TYPES, effectOf } from "../../src/core/command/catalogue.ts";
import {
  BOOK_STEP_MS,
  COMMAND_STEP_MS,
  commandId,
  eventId,
  goodDevice,
  OLD_DEVICE,
  otherRows,
  receiptId,
  reportId,
} from "./growth-rows.ts";
import type { Asker, OpenShop, Shop } from "./growth-shops.ts";

/** Something that is asked again and again. */
export interface Operation {
  readonly what: string;
  /** The till unless it says otherwise. */
  readonly by?: Asker;
  /**
   * Asks it once.
   * @param turn counts up, so that the same is asked of other rows
   * @returns the answer's body
   * @throws Error when it is refused
   */
  run(open: OpenShop, turn: number): Promise<string>;
}

type Asked = string | ((shop: Shop, turn: number) => string);

const DAY_MS = 86_400_000;

/** A path that is read with the till's key, or by the owner. */
function get(what: string, path: Asked, by: Asker = "till"): Operation {
  return {
    ...{ what, by },
    async run(open, turn) {
      const text = typeof path === "string" ? path : path(open.shop, turn);
      const whole = text
        .replaceAll("{device}", deviceOf(open.shop))
        .replaceAll("{good}", goodDevice(open.shop));
      const { status, body } = await open.asker.request("GET", `/api/v1${whole}`);
      if (status !== 200) throw new Error(`${whole}: ${status} ${body}`);
      return body;
    },
  };
}

const deviceOf = ({ deviceIds }: Shop): string => deviceIds[3] ?? "";

/** The first page of a list, and one behind half of the history. */
function pages(what: string, path: Asked, last: (shop: Shop, turn: number) => string): Operation[] {
  const pathOf = (shop: Shop, turn: number) => (typeof path === "string" ? path : path(shop, turn));
  return [
    get(what, path),
    get(`${what}, deep`, (shop, turn) => {
      const text = pathOf(shop, turn);
      return `${text}${text.includes("?") ? "&" : "?"}startAfter=${last(shop, turn)}`;
    }),
  ];
}

/**
 * Deep pages begin at so many places. All of them are read once before they are measured, so that
 * the figures tell of the gateway's work and not of what the disk adds where a file is larger than
 * the memory; that stands apart, as "from anywhere".
 */
export const PLACES = 100;

/** Jumps about in the middle of so many rows. */
const middle = (rows: number, turn: number): number =>
  Math.floor(rows / 2) - Math.floor(((turn % PLACES) * rows) / 20 / PLACES);
/** Jumps about in what is newest. */
const newest = (rows: number, turn: number): number => rows - 100 - (turn % PLACES) * 10;
/** Jumps about everywhere, never to the same place. */
const anywhere = (rows: number, turn: number): number => 1 + ((turn * 2_654_435_761) % rows);

const commands = (what: string, query = ""): Operation[] =>
  pages(`commands${what}`, `/commands${query}`, ({ rows }, turn) => commandId(middle(rows, turn)));
const receipts = (what: string, query = ""): Operation[] =>
  pages(`receipts${what}`, `/receipts${query}`, ({ rows }, turn) => receiptId(middle(rows, turn)));
const reports = (what: string, query = ""): Operation[] =>
  pages(`reports${what}`, `/reports${query}`, (shop, turn) =>
    reportId(middle(otherRows(shop), turn)),
  );

/** An hour of commands in the middle. */
function commandHour({ end, rows }: Shop, turn: number): string {
  return spanBefore(end - middle(rows, turn) * COMMAND_STEP_MS, 3_600_000);
}

function receiptHour({ end, rows }: Shop, turn: number): string {
  return spanBefore(end - middle(rows, turn) * BOOK_STEP_MS, 3_600_000);
}

/** The day before the history was made, of which both histories have all. */
const lastDay = ({ end }: Shop): string => spanBefore(end, DAY_MS);

function spanBefore(to: number, ms: number): string {
  return `from=${new Date(to - ms).toISOString()}&to=${new Date(to).toISOString()}`;
}

const dateOf = ({ end }: Shop): string => new Date(end - DAY_MS).toISOString().slice(0, 10);

const BY_CHANGE = "sortBy=updatedAt";
/** Of all that does not only read, as a page shows it to whoever looks for what was printed. */
const CHANGING = COMMAND_TYPES.filter((type) => effectOf(type) !== "none").join();

export const SINGLE: readonly Operation[] = [
  get("command, new", ({ rows }, turn) => `/commands/${commandId(newest(rows, turn))}`),
  get("command, old", ({ rows }, turn) => `/commands/${commandId(middle(rows, turn))}`),
  get("receipt, new", ({ rows }, turn) => `/receipts/${receiptId(newest(rows, turn))}`),
  get("receipt, old", ({ rows }, turn) => `/receipts/${receiptId(middle(rows, turn))}`),
  get("report, old", (shop, turn) => `/reports/${reportId(middle(otherRows(shop), turn))}`),
  ...["", ", a second time"].flatMap((time) => [
    get(
      `command, from anywhere${time}`,
      ({ rows }, turn) => `/commands/${commandId(anywhere(rows, turn))}`,
    ),
    get(
      `receipt, from anywhere${time}`,
      ({ rows }, turn) => `/receipts/${receiptId(anywhere(rows, turn))}`,
    ),
  ]),
];

/** Where a filter leaves few rows the page is so short that the small history fills it too. */
export const COMMAND_LISTS: readonly Operation[] = [
  ...commands(""),
  ...commands(", oldest first", "?sortOrder=asc"),
  ...commands(" of a device", "?deviceId={device}"),
  ...commands(" completed", "?status=completed"),
  ...commands(" failed", "?status=failed"),
  get("commands pending", "/commands?status=pending&limit=30"),
  get("commands sent: none", "/commands?status=sent"),
  ...commands(" print_receipt", "?type=print_receipt"),
  ...commands(" x_report", "?type=x_report"),
  ...commands(" of many types", `?type=${CHANGING}`),
  ...commands(" of many types, completed", `?type=${CHANGING}&status=completed`),
  ...commands(" of a device, of two types", "?deviceId={device}&type=x_report,z_report&limit=5"),
  get("commands of a type that nobody used", "/commands?type=raw_command"),
  get("commands of no device", "/commands?deviceId=dev_none"),
  get("commands of an hour", (shop, turn) => `/commands?${commandHour(shop, turn)}`),
  ...commands(" of a device, x_report", "?deviceId={device}&type=x_report&limit=5"),
  ...commands(" of a device, failed", "?deviceId={device}&status=failed&limit=5"),
  ...commands(" print_receipt, failed", "?type=print_receipt&status=failed"),
  ...commands(" x_report, failed", "?type=x_report&status=failed&limit=2"),
  ...commands(
    " of a device, print_receipt, failed",
    "?deviceId={device}&type=print_receipt&status=failed&limit=5",
  ),
  ...commands(
    " of a device, print_receipt, completed",
    "?deviceId={device}&type=print_receipt&status=completed",
  ),
  ...commands(" of a device of long ago, failed", `?deviceId=${OLD_DEVICE}&status=failed&limit=2`),
  get("commands of a device that never failed, failed", "/commands?deviceId={good}&status=failed"),
  get("commands of a device that has none of the type", "/commands?deviceId={good}&type=x_report"),
  ...commands(" by change", `?${BY_CHANGE}`),
  ...commands(" by change, oldest first", `?${BY_CHANGE}&sortOrder=asc`),
  ...commands(" by change, of a device", `?${BY_CHANGE}&deviceId={device}`),
  ...commands(" by change, failed", `?${BY_CHANGE}&status=failed`),
  ...commands(" by change, print_receipt", `?${BY_CHANGE}&type=print_receipt`),
  ...commands(" by change, x_report", `?${BY_CHANGE}&type=x_report`),
  ...commands(
    " by change, of a device, x_report",
    `?${BY_CHANGE}&deviceId={device}&type=x_report&limit=5`,
  ),
  ...commands(" by change, of many types", `?${BY_CHANGE}&type=${CHANGING}`),
  get(
    "commands by change, of a device that never failed, failed",
    `/commands?${BY_CHANGE}&deviceId={good}&status=failed`,
  ),
  get("commands by change, of a type that nobody used", `/commands?${BY_CHANGE}&type=raw_command`),
  get("commands by change, of no device", `/commands?${BY_CHANGE}&deviceId=dev_none`),
  get(
    "commands by change, of a device of long ago",
    `/commands?${BY_CHANGE}&deviceId=${OLD_DEVICE}`,
  ),
  get("commands by change, set_logo of long ago", `/commands?${BY_CHANGE}&type=set_logo&limit=5`),
  get(
    "commands by change, of an hour",
    (shop, turn) => `/commands?${BY_CHANGE}&${commandHour(shop, turn)}`,
  ),
];

export const BOOK_LISTS: readonly Operation[] = [
  ...receipts(""),
  ...receipts(", oldest first", "?sortOrder=asc"),
  ...receipts(" of a device", "?deviceId={device}"),
  ...pages("receipts below a device", "/devices/{device}/receipts", ({ rows }, turn) =>
    receiptId(middle(rows, turn)),
  ),
  ...receipts(" sales", "?type=sale"),
  ...receipts(" stornos", "?type=storno&limit=30"),
  ...receipts(" of a device, stornos", "?deviceId={device}&type=storno&limit=2"),
  get("receipts of a device that has no stornos, stornos", "/receipts?deviceId={good}&type=storno"),
  ...receipts(" by issue", "?sortBy=issuedAt"),
  ...receipts(" by issue, of a device", "?sortBy=issuedAt&deviceId={device}"),
  ...receipts(" by issue, stornos", "?sortBy=issuedAt&type=storno&limit=30"),
  ...receipts(" by total", "?sortBy=total"),
  ...receipts(" by total, of a device", "?sortBy=total&deviceId={device}"),
  ...receipts(" by total, stornos", "?sortBy=total&type=storno&limit=20"),
  get(
    "receipts by total, of an hour",
    (shop, turn) => `/receipts?sortBy=total&${receiptHour(shop, turn)}`,
  ),
  get("receipts of an hour", (shop, turn) => `/receipts?${receiptHour(shop, turn)}`),
  get("receipts by fiscal id", ({ rows }, turn) => `/receipts?fiscalId=${middle(rows, turn)}`),
  ...receipts(" with a text that many have", "?q=bread"),
  get(
    "receipts with a text in an hour",
    (shop, turn) => `/receipts?q=7&${receiptHour(shop, turn)}`,
  ),
  ...reports(""),
  ...reports(" of a device", "?deviceId={device}"),
  ...reports(" z_report", "?type=z_report&limit=30"),
  ...reports(" of a device, z_report", "?deviceId={device}&type=z_report&limit=3"),
];

export const OTHER_LISTS: readonly Operation[] = [
  get("audit", "/audit", "owner"),
  get("audit, oldest first", "/audit?sortOrder=asc", "owner"),
  get("audit, deep", (shop, turn) => `/audit?startAfter=${middle(otherRows(shop), turn)}`, "owner"),
  get("deliveries", ({ webhookId }) => `/org/webhooks/${webhookId}/deliveries`, "owner"),
  get(
    "deliveries, as many as there may be",
    ({ webhookId }) => `/org/webhooks/${webhookId}/deliveries?limit=200`,
    "owner",
  ),
  get(
    "deliveries failed",
    ({ webhookId }) => `/org/webhooks/${webhookId}/deliveries?status=failed`,
    "owner",
  ),
  get(
    "deliveries pending: none",
    ({ webhookId }) => `/org/webhooks/${webhookId}/deliveries?status=pending`,
    "owner",
  ),
  get("connection history", "/devices/{device}/connection-history"),
  get("alerts", "/devices/alerts"),
  get("alerts of a device", "/devices/{device}/alerts"),
  get("past alerts", "/alerts?state=past"),
  get("past alerts of a device, errors", "/alerts?state=past&deviceId={device}&severity=error"),
  get("standing alerts", "/alerts?state=standing"),
  get("devices", "/devices"),
  get("device statuses", "/devices/statuses"),
  get("today", "/today"),
  get("device", "/devices/{device}"),
  get("controllers", "/controllers"),
  get("members", "/org/members", "owner"),
  get("API keys", "/org/api-keys", "owner"),
  get("locations", "/org/locations"),
  get("webhooks", "/org/webhooks", "owner"),
  get("billing", "/billing", "owner"),
  get("health", "/health"),
  { what: "events since the fiftieth from the end", run: readEvents },
];

export const FIGURES: readonly Operation[] = [
  get(
    "daily report of a device",
    (shop) => `/reports/daily?date=${dateOf(shop)}&deviceId={device}`,
  ),
  get("daily report of all devices", (shop) => `/reports/daily?date=${dateOf(shop)}`),
  ...(["day", "hour", "payment", "vat", "device"] as const).map((by) =>
    get(
      `summary of a device's day by ${by}`,
      (shop) => `/reports/summary?${lastDay(shop)}&by=${by}&deviceId={device}`,
    ),
  ),
  get("summary of a day by hour", (shop) => `/reports/summary?${lastDay(shop)}&by=hour`),
  download("export of an hour", (shop, turn) => `/receipts/export?${receiptHour(shop, turn)}`),
  download(
    "journal of a day",
    (shop) => `/reports/journal?${lastDay(shop)}&deviceId=${deviceOf(shop)}`,
  ),
];

/** What writes: commands that stay in the queue, and a receipt that was printed elsewhere. */
export function submissions(receipt: string): readonly [Operation, Operation, Operation] {
  const post = async (
    { asker }: OpenShop,
    path: string,
    request: { readonly body: string; readonly idempotencyKey?: string },
  ): Promise<string> => {
    const { status, body } = await asker.request("POST", `/api/v1${path}`, request);
    if (status !== 201 && status !== 202) throw new Error(`POST ${path}: ${status} ${body}`);
    return body;
  };
  const deviceAt = ({ deviceIds }: Shop, turn: number) => deviceIds[turn % deviceIds.length] ?? "";
  const { payload } = JSON.parse(receipt);
  const { items, payments } = payload;
  const own = String(Date.now());
  return [
    {
      what: "submit",
      run: (open, turn) =>
        post(open, `/devices/${deviceAt(open.shop, turn)}/commands`, { body: receipt }),
    },
    {
      what: "submit with an Idempotency-Key",
      run: (open, turn) =>
        post(open, "/commands", {
          body: JSON.stringify({
            ...{ deviceId: deviceAt(open.shop, turn), type: "print_receipt", payload },
          }),
          idempotencyKey: `${own}-${turn}`,
        }),
    },
    {
      what: "store a receipt",
      run: (open, turn) =>
        post(open, "/receipts", {
          body: JSON.stringify({
            ...{ deviceId: deviceOf(open.shop), type: "sale", fiscalId: `${own}-${turn}` },
            ...{ items, payments },
          }),
        }),
    },
  ];
}

/** A text of one receipt: the search goes on through as many as it may, and says where it ended. */
export const RARE_TEXT = get(
  "receipts with a text that only one has",
  ({ rows }, turn) => `/receipts?q=${receiptId(newest(rows, turn))}`,
);

/** Listens until the newest event of the history was told. */
async function readEvents({ gateway, shop }: OpenShop): Promise<string> {
  const { key, lastEvent } = shop;
  const end = new AbortController();
  const { body, status } = await fetch(
    `${gateway.url}/api/v1/events/stream?since=${eventId(lastEvent - 50)}`,
    { headers: { authorization: `Bearer ${key}` }, signal: end.signal },
  );
  if (status !== 200 || !body) throw new Error(`events: ${status}`);
  let text = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.includes(eventId(lastEvent))) break;
  }
  end.abort();
  return "";
}

/** An answer without a length, which the bench's own client does not read. */
function download(what: string, path: (shop: Shop, turn: number) => string): Operation {
  return {
    what,
    async run({ gateway, shop }, turn) {
      const headers = { authorization: `Bearer ${shop.key}` };
      const answer = await fetch(`${gateway.url}/api/v1${path(shop, turn)}`, { headers });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path(shop, turn)}: ${answer.status} ${text}`);
      return "";
    },
  };
}
