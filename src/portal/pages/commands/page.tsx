/**
 * What was asked of the printers, as it goes on. The box itself and the pages here read of them all day:
 * that is shown to whoever asks for it.
 */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { memo } from "react";
import { Link } from "wouter";
import { boxNow } from "../../api/box-clock.ts";
import { useOrganization } from "../../api/hooks.ts";
import { type Params, read } from "../../api/queries.ts";
import { CHANGING_TYPES } from "../../parts/command-kinds.ts";
import { amountOf, type Command, commandState } from "../../parts/command-state.ts";
import { dotted } from "../../parts/dotted.ts";
import { useEndless } from "../../parts/endless.ts";
import { EndlessList, idOf, useHeight } from "../../parts/endless-list.tsx";
import filterStyles from "../../parts/filters.module.css";
import { ChipSelect, PeriodChips, useFilters } from "../../parts/filters.tsx";
import rowStyles from "../../parts/list-row.module.css";
import { Money } from "../../parts/money.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty } from "../../parts/page-states.tsx";
import { daysOf, instantsOf } from "../../parts/period.ts";
import { PracticeMark } from "../../parts/practice.tsx";
import { printerChoices } from "../../parts/printer-choices.ts";
import { dayOf } from "../../parts/shop-days.ts";
import { StateMark } from "../../parts/state-mark.tsx";
import { askerOf, useWho } from "../../parts/who.ts";
import { useFormat, useWords } from "../../words/words.tsx";
import styles from "./commands.module.css";

type Filter = NonNullable<Params<"/api/v1/commands">["query"]>;

const STATUSES = ["pending", "sent", "processing", "completed", "failed", "timeout"] as const;
const TYPES = [
  ...(["print_receipt", "print_reversal_receipt", "z_report", "x_report"] as const),
  ...(["cash_in", "cash_out", "print_duplicate", "non_fiscal_receipt"] as const),
] as const;
/** Pixels, as `commands.module.css` has them. */
const HEIGHTS = { wide: () => 68, narrow: () => 96 };

export default function CommandsPage() {
  const { t } = useWords();
  const { params, clear } = useFilters();
  const { areShown } = useReads();
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  return (
    <Page title={t("commands.title")}>
      <search className={filterStyles.bar}>
        <ChipSelect
          name="printer"
          label={t("filters.printer")}
          all={t("filters.printer.all")}
          choices={printerChoices(devices, t)}
        />
        <ChipSelect
          name="type"
          label={t("filters.what")}
          all={t(areShown ? "filters.what.all" : "commands.changing")}
          choices={TYPES.map((value) => ({ value, label: t(`command.${value}`) }))}
        />
        <ChipSelect
          name="status"
          label={t("filters.status")}
          all={t("filters.status.all")}
          choices={STATUSES.map((value) => ({ value, label: t(`filters.status.${value}`) }))}
        />
        <PeriodChips />
        {!params.has("type") && <ReadsToo />}
        {params.size > 0 && (
          <Button variant="subtle" onClick={clear}>
            {t("filters.clear")}
          </Button>
        )}
      </search>
      <List names={new Map(devices.map(({ id, name }) => [id, name]))} />
    </Page>
  );
}

const READS = "reads";

/** Whether it is left out what was only read. */
function useReads() {
  const { params, set } = useFilters();
  const areShown = params.get(READS) === "1";
  return {
    areShown,
    areLeftOut: !areShown && !params.has("type"),
    show: (wanted: boolean) => set(READS, wanted ? "1" : ""),
  };
}

function ReadsToo() {
  const { t } = useWords();
  const { areShown, show } = useReads();
  return (
    <button
      type="button"
      className={filterStyles.toggle}
      data-mood="good"
      aria-pressed={areShown}
      onClick={() => show(!areShown)}
    >
      {t("commands.readsToo")}
    </button>
  );
}

function useFilter(): Filter {
  const { params } = useFilters();
  const { areLeftOut } = useReads();
  const timezone = useOrganization()?.timezone;
  const deviceId = params.get("printer") ?? "";
  const type = TYPES.find((one) => one === params.get("type"));
  const status = STATUSES.find((one) => one === params.get("status"));
  return {
    ...(deviceId === "" ? {} : { deviceId }),
    ...(type === undefined ? {} : { type: [type] }),
    ...(areLeftOut ? { type: CHANGING_TYPES } : {}),
    ...(status === undefined ? {} : { status }),
    ...instantsOf(daysOf(params.get("period"), timezone), timezone),
  };
}

function List({ names }: { readonly names: ReadonlyMap<string, string> }) {
  const { t } = useWords();
  const list = useEndless("/api/v1/commands", useFilter());
  const who = useWho();
  const heightOf = useHeight(HEIGHTS);
  return (
    <EndlessList
      list={list}
      rows={list.rows}
      keyOf={idOf}
      heightOf={heightOf}
      label={t("commands.title")}
      empty={<Nothing />}
    >
      {(command) => (
        <Row
          command={command}
          printer={names.get(command.deviceId)}
          asker={t("history.by", { who: who(askerOf(command)) })}
        />
      )}
    </EndlessList>
  );
}

function Nothing() {
  const { t } = useWords();
  const { params } = useFilters();
  const { areLeftOut, show } = useReads();
  const title = t(params.size > 0 ? "commands.none" : "commands.empty");
  if (!areLeftOut) return <Empty title={title} />;
  return (
    <Empty title={title} text={t("commands.readsLeftOut")}>
      <Button variant="default" onClick={() => show(true)}>
        {t("commands.readsToo")}
      </Button>
    </Empty>
  );
}

interface RowProps {
  readonly command: Command;
  readonly printer: string | undefined;
  readonly asker: string;
}

/** Drawn again only when it has changed: there are many, and they come quickly. */
const Row = memo(function Row({ command, printer, asker }: RowProps) {
  const { t } = useWords();
  const format = useFormat();
  const { mood, word } = commandState(command);
  const amount = amountOf(command);
  const timezone = useOrganization()?.timezone;
  const { createdAt } = command;
  const isToday = dayOf(createdAt, timezone) === dayOf(boxNow(), timezone);
  const details = [isToday ? format.time(createdAt) : format.dateTime(createdAt), printer, asker];
  return (
    <Link
      className={`${rowStyles.row} ${styles.row}`}
      href={`/commands/${command.id}`}
      state={{ fromList: true }}
    >
      <span className={styles.what} data-alone={amount === undefined}>
        {t(`command.${command.type}`)}
      </span>{" "}
      {amount !== undefined && (
        <span className={styles.amount}>
          <Money amount={amount} currency={command.currency} />
        </span>
      )}{" "}
      <span className={`aside ${styles.details}`}>
        <PracticeMark of={command} /> {dotted(details)}
      </span>{" "}
      <span className={styles.state}>
        <StateMark mood={mood} word={t(word)} />
      </span>
    </Link>
  );
});
