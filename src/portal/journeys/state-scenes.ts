/** Table of scenes of pages that cannot be read, by what they read: loading, failed, refused, offline. */

import {
  ALERT,
  holding,
  instead,
  offline,
  open,
  refusal,
  type Scene,
  SKELETON,
  type Stage,
} from "./staging.ts";

type State = "loading" | "failed" | "forbidden" | "offline";

interface ReadPage {
  /** Begins the names of its scenes. */
  readonly name: string;
  /** `:printer` stands for the one that works. */
  readonly address: string;
  /** The route of the API that it waits for. */
  readonly reads: string;
  /** What is there once it was read. */
  readonly sign: string;
  /** Those that a table of its own has. */
  readonly without?: readonly State[];
}

/** A page of a thing that is not there, at the address that it is read at; none knows it from before. */
const one = (name: string, reads: string): ReadPage => {
  return { name, address: reads, reads, sign: "", without: ["offline"] };
};

const PAGES: readonly ReadPage[] = [
  { name: "printers", address: "/printers", reads: "/devices", sign: "main li" },
  { name: "printer", address: "/printers/:printer", reads: "/devices/dev_*", sign: "pre" },
  {
    ...{ name: "printer-lines", address: "/printers/:printer/setup" },
    ...{ reads: "/devices/*/header-footer", sign: "main textarea" },
    // A printer that is busy is no failure of the page: `printer-setup-unread`.
    without: ["failed"],
  },
  {
    ...{ name: "printer-line", address: "/printers/:printer/line", reads: "/devices/*/trace*" },
    sign: "main ol li",
  },
  {
    ...{ name: "printer-history", address: "/printers/:printer/history" },
    ...{ reads: "/devices/*/connection-history", sign: "main ol li" },
  },
  {
    ...{ name: "printer-manage", address: "/printers/:printer/manage", reads: "/devices/dev_*" },
    sign: "main form",
  },
  { name: "alerts", address: "/alerts", reads: "/alerts*", sign: "main [data-windowed] a" },
  {
    ...{ name: "commands", address: "/commands", reads: "/commands*" },
    sign: "main [data-windowed] a",
  },
  {
    ...{ name: "reports", address: "/reports", reads: "/reports/calendar*", sign: "main table" },
    without: ["loading", "failed", "forbidden"],
  },
  one("receipt", "/receipts/rct_x"),
  { ...one("receipt-reversal", "/receipts/rct_x"), address: "/receipts/rct_x/reversal" },
  { ...one("receipt-doubtful", "/commands/cmd_x"), address: "/doubtful/cmd_x" },
  one("commands-one", "/commands/cmd_x"),
  one("report", "/reports/rpt_x"),
  {
    ...{ name: "report-date", address: "/reports/2026-01-15?printer=:printer" },
    ...{ reads: "/reports/daily*", sign: "main [data-old]" },
  },
  {
    ...{ name: "history", address: "/settings/history", reads: "/audit*", sign: "" },
    without: ["loading", "failed", "offline"],
  },
  {
    ...{ name: "settings-closing", address: "/settings/closing", reads: "/org" },
    sign: "main form",
  },
  { name: "settings-about", address: "/settings/about", reads: "/health", sign: "main dl" },
  {
    ...{ name: "settings-places", address: "/settings/places", reads: "/org/locations" },
    sign: "main [data-old]",
  },
  { ...one("settings-place", "/org/locations/loc_x"), address: "/settings/places/loc_x" },
  { ...one("settings-person", "/org/members"), address: "/settings/people/usr_x" },
  { ...one("settings-key", "/org/api-keys"), address: "/settings/keys/key_x" },
  { ...one("webhook", "/org/webhooks/whk_x"), address: "/settings/webhooks/whk_x" },
  { name: "settings-keys", address: "/settings/keys", reads: "/org/api-keys", sign: "main li" },
  {
    ...{ name: "settings-people", address: "/settings/people", reads: "/org/members" },
    ...{ sign: "main li strong", without: ["forbidden"] },
  },
  {
    ...{ name: "webhooks", address: "/settings/webhooks", reads: "/org/webhooks" },
    ...{ sign: "main [data-old]", without: ["loading", "failed"] },
  },
  {
    ...{ name: "controllers", address: "/settings/controllers", reads: "/controllers" },
    ...{ sign: "main ol", without: ["loading", "failed"] },
  },
  {
    ...{ name: "network", address: "/settings/network", reads: "/network" },
    ...{ sign: "main [data-old] section", without: ["failed"] },
  },
  {
    ...{ name: "update", address: "/settings/update", reads: "/update" },
    sign: "main [data-old] section",
  },
  {
    ...{ name: "backup", address: "/settings/backup", reads: "/backups" },
    ...{ sign: "main [data-old] section", without: ["loading", "offline"] },
  },
];

const STATES: Readonly<Record<State, (page: ReadPage) => Scene["play"]>> = {
  loading: (page) => holding(page.reads, to(page, SKELETON)),
  failed: (page) => instead(page.reads, refusal(500, "INTERNAL_ERROR"), to(page, SAID)),
  forbidden: (page) => instead(page.reads, refusal(403, "FORBIDDEN"), to(page, `main ${ALERT}`)),
  offline: (page) => offline(to(page, page.sign)),
};

/** What is read from a printer may fail without being the page's own failure. */
const SAID = `main :is(${ALERT}, [data-mood="warn"])`;

const to =
  ({ address }: ReadPage, sign: string) =>
  (stage: Stage): Promise<void> =>
    open(address.replace(":printer", stage.printers.ready), sign)(stage);

export const STATE_SCENES: readonly Scene[] = PAGES.flatMap((page) =>
  (["loading", "failed", "forbidden", "offline"] as const)
    .filter((state) => page.without?.includes(state) !== true)
    .map((state) => ({ name: `${page.name}-${state}`, play: STATES[state](page) })),
);
