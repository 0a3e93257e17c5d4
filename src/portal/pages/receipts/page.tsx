/** All receipts, by day; searched and narrowed by what stands in the address. */

import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "wouter";
import { useOrganization } from "../../api/hooks.ts";
import { type Params, read } from "../../api/queries.ts";
import { useEndless } from "../../parts/endless.ts";
import { EndlessList, useHeight } from "../../parts/endless-list.tsx";
import filterStyles from "../../parts/filters.module.css";
import { ChipSelect, PeriodChips, useFilters, useTyped } from "../../parts/filters.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty } from "../../parts/page-states.tsx";
import { daysOf, instantsOf } from "../../parts/period.ts";
import { PRACTICE, printerChoices } from "../../parts/printer-choices.ts";
import { StateShape } from "../../parts/state-mark.tsx";
import { numberTyped } from "../../shell/search-receipts.ts";
import { useFormat, useWords } from "../../words/words.tsx";
import { DayHead, daysIn, HEAD_HEIGHTS, type ListRow, useDayTotals } from "./days.tsx";
import { DoubtfulList } from "./doubtful-list.tsx";
import { Exactly, useExactly, whyFound } from "./exactly.tsx";
import { ReceiptRow, ROW_HEIGHT } from "./row.tsx";

const TYPES = ["sale", "storno", "refund"] as const;
type Filter = NonNullable<Params<"/api/v1/receipts">["query"]>;

export default function ReceiptsPage() {
  const { t } = useWords();
  const { params } = useFilters();
  return (
    <Page title={t("nav.receipts")}>
      <Filters />
      {params.get("doubtful") === "1" ? <DoubtfulList /> : <List />}
    </Page>
  );
}

function Filters() {
  const { t } = useWords();
  const { params, clear } = useFilters();
  const { typed, setTyped } = useTyped("q");
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  return (
    <search className={`${filterStyles.bar} no-print`}>
      <TextInput
        className={filterStyles.search}
        type="search"
        aria-label={t("receipts.search")}
        placeholder={t("receipts.search")}
        leftSection={<Icon name="search" />}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <ChipSelect
        name="printer"
        label={t("filters.printer")}
        all={t(devices.some(isPractice) ? "filters.printer.allReal" : "filters.printer.all")}
        choices={printerChoices(devices, t, [{ value: PRACTICE, label: t("practice.all") }])}
      />
      <ChipSelect
        name="type"
        label={t("filters.type")}
        all={t("filters.type.all")}
        choices={TYPES.map((value) => ({ value, label: t(`receipts.type.${value}`) }))}
      />
      <PeriodChips />
      <DoubtfulChip />
      {params.size > 0 && (
        <Button variant="subtle" onClick={clear}>
          {t("filters.clear")}
        </Button>
      )}
    </search>
  );
}

const isPractice = ({ simulated }: { readonly simulated: boolean }) => simulated;

function DoubtfulChip() {
  const { t } = useWords();
  const { params, set } = useFilters();
  const { data: { alerts = {} } = {} } = useQuery(read("/api/v1/devices/alerts"));
  const isOn = params.get("doubtful") === "1";
  const count = Object.values(alerts)
    .flat()
    .filter(({ type }) => type === "outcome_unknown").length;
  return (
    <button
      type="button"
      className={filterStyles.toggle}
      aria-pressed={isOn}
      onClick={() => set("doubtful", isOn ? "" : "1")}
    >
      {count > 0 && <StateShape mood="bad" />}
      {count > 0 ? t("receipts.doubtfulCount", { count }) : t("receipts.doubtful")}
    </button>
  );
}

/** What the address asks for; what it asks wrongly is left out. */
function useFilter(): Filter {
  const { t } = useWords();
  const format = useFormat();
  const { params } = useFilters();
  const timezone = useOrganization()?.timezone;
  const type = TYPES.find((one) => one === params.get("type"));
  const q = numberTyped(params.get("q") ?? "", { word: t("nav.receipts"), format });
  const deviceId = params.get("printer") ?? "";
  return {
    // As sums do: days are the box's, whatever the clocks of its printers say.
    ...{ sortBy: "bookedAt", time: "bookedAt", sortOrder: "desc" },
    ...(q === "" ? {} : { q }),
    ...(deviceId === PRACTICE ? { simulated: true } : deviceId === "" ? {} : { deviceId }),
    ...(type === undefined ? {} : { type }),
    ...instantsOf(daysOf(params.get("period"), timezone), timezone),
  };
}

function List() {
  const { t } = useWords();
  const filter = useFilter();
  const timezone = useOrganization()?.timezone;
  const exact = useExactly(filter);
  const list = useEndless("/api/v1/receipts", filter);
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  const names = new Map(devices.map(({ id, name }) => [id, name]));
  const rows = useMemo(() => daysIn(list.rows, timezone), [list.rows, timezone]);
  const heightOf = useHeight(HEIGHTS);
  const totals = useDayTotals(rows, { filter, isWhole: !list.hasMore });
  return (
    <>
      <Exactly asked={filter.q ?? ""} found={exact} names={names} />
      <EndlessList
        list={list}
        rows={rows}
        keyOf={keyOf}
        heightOf={heightOf}
        label={t("nav.receipts")}
        empty={exact.length === 0 && <Nothing />}
      >
        {(row) =>
          row.kind === "day" ? (
            <DayHead of={row} total={totals.get(row.day)} />
          ) : (
            <ReceiptRow
              receipt={row.receipt}
              printer={names.get(row.receipt.deviceId)}
              reason={whyFound(row.receipt, filter.q)}
            />
          )
        }
      </EndlessList>
    </>
  );
}

const keyOf = (row: ListRow): string => (row.kind === "day" ? row.day : row.receipt.id);
const heightBy =
  (head: number) =>
  ({ kind }: ListRow): number =>
    kind === "day" ? head : ROW_HEIGHT;
const HEIGHTS = { wide: heightBy(HEAD_HEIGHTS.wide), narrow: heightBy(HEAD_HEIGHTS.narrow) };

function Nothing() {
  const { t } = useWords();
  const { params, set } = useFilters();
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  const isLeftOut = !params.has("printer") && devices.some(isPractice);
  const toPractice = isLeftOut && (
    <Button variant="default" onClick={() => set("printer", PRACTICE)}>
      {t("practice.show")}
    </Button>
  );
  // The way back stands among the filters.
  if (params.size > 0) {
    return (
      <Empty title={t("receipts.none")} text={t("receipts.noneText")}>
        {toPractice}
      </Empty>
    );
  }
  const text = t(isLeftOut ? "practice.leftOut" : "receipts.emptyText");
  return (
    <Empty title={t("receipts.empty")} text={text}>
      {toPractice}
      <Button component={Link} href="/printers" variant="default">
        {t("nav.printers")}
      </Button>
    </Empty>
  );
}
