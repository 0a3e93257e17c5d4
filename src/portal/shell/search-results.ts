/** What the search finds: pages, printers, what can be done at them, and receipts. */

import { useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { components } from "../../client/index.ts";
import { useMay, useMayWhat } from "../api/hooks.ts";
import { read } from "../api/queries.ts";
import type { IconName } from "../parts/icon.tsx";
import { signedTotal } from "../parts/signed-total.ts";
import { SETTINGS, settingsHref } from "../settings-pages.ts";
import { useFormat, useWords, type Word } from "../words/words.tsx";
import type { NavigationPlace } from "./page-route.ts";
import { ranked } from "./search-rank.ts";
import { numberTyped, reasonOf, receiptQueries } from "./search-receipts.ts";
import { plain } from "./search-words.ts";

/** One that is found. */
export interface Found {
  readonly href: string;
  readonly text: string;
  /** What else finds it, which is not shown. */
  readonly about?: string;
  readonly icon: IconName;
}

type Device = components["schemas"]["Device"];
type Receipt = components["schemas"]["Receipt"];

/** As many stand in the list. */
const FOUND_MAX = 8;
const RECEIPTS_MAX = 5;
const TYPED_MS = 250;

/** What is done at a printer, by the end of its address. */
const ACTIONS = [
  { end: "actions?z", word: "actions.z" },
  { end: "actions?x", word: "actions.x" },
  { end: "actions?cash_in", word: "command.cash_in" },
  { end: "actions?cash_out", word: "command.cash_out" },
  { end: "actions?drawer", word: "actions.openDrawer" },
  { end: "actions?duplicate", word: "receipt.duplicateAction" },
  { end: "actions?clock", word: "actions.clockRead" },
  { end: "actions?slip", word: "search.testPrint" },
] as const satisfies readonly { end: string; word: Word }[];

/** What is done at its cover, where there is one. */
const COVER = [{ end: "?paper", word: "loadPaper.open" }] as const;

/** Pages of a printer. */
const TABS = [
  { end: "setup?part=lines", word: "setting.lines", may: "admin" },
  { end: "setup?part=logo", word: "setting.logo", may: "admin" },
  { end: "setup?part=operators", word: "setting.operators", may: "admin" },
  { end: "setup?part=vat", word: "setting.vat", may: "admin" },
  { end: "line", word: "printer.line", may: "admin" },
  { end: "history", word: "printer.history", may: "operator" },
  { end: "manage", word: "printer.manage", may: "admin" },
] as const satisfies readonly { end: string; word: Word; may: "admin" | "operator" }[];

/** What goes back to a customer is not called a receipt. */
const SEARCHED = {
  sale: "search.receipt",
  storno: "search.reversal",
  refund: "search.refund",
} as const satisfies Record<Receipt["type"], Word>;

/** What is found, the likeliest first. */
interface AllFound {
  readonly found: readonly Found[];
  /** True where there are more than stand in the list. */
  readonly hasMore: boolean;
}

/** @param asked what was typed; nothing finds the pages */
export function useFound(places: readonly NavigationPlace[], asked: string): AllFound {
  const { t } = useWords();
  const may = useMayWhat();
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  const receipts = useReceipts(asked, devices);
  const named = usePeopleAndKeys();
  const settings = SETTINGS.flatMap(({ pages }) => [...pages]).filter((page) => may(page.may));
  const pages: Found[] = [
    ...places.map(({ path, word, icon }) => ({ href: path, text: t(word), icon })),
    ...devices.map((device) => ({
      href: `/printers/${device.id}`,
      text: nameAmong(devices, device),
      about: [device.serialNumber, device.fiscalMemorySerialNumber, device.model].join(" "),
      icon: "printer" as const,
    })),
    ...settings.map((page) => ({
      href: settingsHref(page),
      text: t(`settings.page.${page.name}`),
      about: t(`settings.page.${page.name}Text`),
      icon: page.icon,
    })),
  ];
  if (plain(asked) === "") return { found: pages.slice(0, FOUND_MAX), hasMore: false };
  const tabs = TABS.filter((tab) => may(tab.may));
  const deeds = devices.flatMap((device) => [
    ...atPrinter(device, ACTIONS, "check"),
    ...atPrinter(device, device.simulated ? [] : COVER, "paper"),
    ...atPrinter(device, tabs, "printer"),
  ]);
  const add: Found[] = may("admin")
    ? [
        { href: "/receipts", text: t("search.reverse"), icon: "receipt" },
        { href: "/printers/new", text: t("newPrinter.title"), icon: "plus" },
        // Where somebody has left it, it can be gone on with.
        { href: "/setup", text: t("setup.steps"), icon: "check" },
      ]
    : [];
  const past = { href: "/alerts", text: t("pastAlerts.title"), icon: "clock" } as const;
  const known = ranked([...pages, past, ...add, ...named, ...deeds], asked);
  // Receipts have a place, however much else is called like this.
  const shown = known.slice(0, FOUND_MAX - receipts.length);
  return { found: [...shown, ...receipts], hasMore: shown.length < known.length };

  function atPrinter(
    device: Device,
    ends: readonly { readonly end: string; readonly word: Word }[],
    icon: IconName,
  ): Found[] {
    const printer = nameAmong(devices, device);
    return ends.map(({ end, word }) => ({
      href: `/printers/${device.id}/${end}`,
      text: t("search.atPrinter", { what: t(word), printer }),
      icon,
    }));
  }
}

/** A printer's name, and its number where another one is called the same. */
function nameAmong(devices: readonly Device[], { id, name, serialNumber }: Device): string {
  const isOnly = devices.every((other) => other.id === id || other.name !== name);
  return isOnly || serialNumber === null ? name : `${name} · ${serialNumber}`;
}

/** By name, for whoever may open their pages. */
function usePeopleAndKeys(): Found[] {
  const { t } = useWords();
  const enabled = useMay("admin");
  const { data: people } = useQuery({ ...read("/api/v1/org/members"), enabled });
  const { data: keys = [] } = useQuery({ ...read("/api/v1/org/api-keys"), enabled });
  return [
    ...(people?.members ?? []).map(({ id, name, email }) => ({
      href: `/settings/people/${id}`,
      // A printer may be called like a person, or like the till with the key.
      text: `${name} · ${t("settings.page.people")}`,
      about: email,
      icon: "person" as const,
    })),
    ...keys.map(({ id, label, last4 }) => ({
      href: `/settings/keys/${id}`,
      text: `${label} · ${t("settings.page.keys")}`,
      about: last4,
      icon: "key" as const,
    })),
  ];
}

/** By number, amount or sale number, the likeliest first and each with why, once nothing more is typed for a moment. */
function useReceipts(asked: string, devices: readonly Device[]): Found[] {
  const { t } = useWords();
  const format = useFormat();
  const [q, setQ] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setQ(asked.trim()), TYPED_MS);
    return () => clearTimeout(timer);
  }, [asked]);
  const number = numberTyped(q, { word: t("nav.receipts"), format });
  const lists = useQueries({
    queries: receiptQueries(number).map((one) =>
      read("/api/v1/receipts", { query: { ...one, limit: RECEIPTS_MAX } }),
    ),
  });
  if (q !== asked.trim()) return [];
  const found = lists.flatMap(({ data }) => data?.receipts ?? []);
  const once = new Map(found.map((receipt) => [receipt.id, receipt]));
  const known = [...once.values()].flatMap((receipt) => {
    const reason = reasonOf(receipt, number);
    return reason === undefined ? [] : [{ receipt, reason }];
  });
  const likely = known.toSorted((a, b) => a.reason.rank - b.reason.rank).slice(0, RECEIPTS_MAX);
  // A page of what was found by chance says nothing of others that are meant.
  const isMeant = ({ id }: Receipt) => known.some(({ receipt }) => receipt.id === id);
  const hasMore =
    known.length > RECEIPTS_MAX ||
    lists.some(({ data }) => data?.hasMore === true && data.receipts.every(isMeant));
  const rows = likely.map(({ receipt, reason }): Found => {
    const name = t(SEARCHED[receipt.type], {
      number: receipt.fiscalId ?? "",
      amount: format.money(signedTotal(receipt), receipt.currency),
      time: format.dateTime(receipt.issuedAt),
    });
    const device = devices.find(({ id }) => id === receipt.deviceId);
    const printer = devices.length > 1 && device ? nameAmong(devices, device) : undefined;
    const text = [name, printer, reason.text].filter((part) => part !== undefined).join(" · ");
    return { href: `/receipts/${receipt.id}`, text, icon: "receipt" };
  });
  if (likely.length === 0 || !hasMore) return rows;
  const href = `/receipts?q=${encodeURIComponent(number)}`;
  return [...rows, { href, text: t("search.moreReceipts"), icon: "receipt" }];
}
