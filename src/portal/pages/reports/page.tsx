/** A month of a printer: Z reports that were made, that are missing, and that differ. */

import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import type { components } from "../../../client/index.ts";
import { boxNow } from "../../api/box-clock.ts";
import { useMay, useOrganization } from "../../api/hooks.ts";
import { read } from "../../api/queries.ts";
import { Icon } from "../../parts/icon.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, PageSkeleton, PageStates } from "../../parts/page-states.tsx";
import { PracticeNote } from "../../parts/practice.tsx";
import { printerChoices } from "../../parts/printer-choices.ts";
import { addDays, type Day, dayOf, isDay } from "../../parts/shop-days.ts";
import { StateMark } from "../../parts/state-mark.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import { Calendar } from "./calendar.tsx";
import { Concerns } from "./concerns.tsx";
import { Export } from "./export.tsx";
import { MonthTotals } from "./month-totals.tsx";
import styles from "./reports.module.css";

/** Receipts tell nothing here: a month is too much to be added up anew for each. */
const AGAIN_MS = 60_000;

export default function ReportsPage() {
  const { t } = useWords();
  const may = useMay("admin");
  const devices = useQuery(read("/api/v1/devices"));
  return (
    <Page title={t("reports.title")}>
      <PageStates
        query={devices}
        isEmpty={(found) => found.length === 0}
        empty={
          <Empty
            title={t("today.noPrinter")}
            text={t(may ? "reports.noPrinterText" : "today.noPrinterAsk")}
          >
            {may && (
              <Button component={Link} href="/printers/new">
                {t("today.findPrinter")}
              </Button>
            )}
          </Empty>
        }
      >
        {(found) => <PrinterMonth devices={found} />}
      </PageStates>
    </Page>
  );
}

const isReal = ({ simulated }: { readonly simulated: boolean }) => !simulated;

interface PrinterMonthProps {
  readonly devices: readonly components["schemas"]["Device"][];
}

function PrinterMonth({ devices }: PrinterMonthProps) {
  const { t } = useWords();
  const [search, setSearch] = useSearchParams();
  const today = dayOf(boxNow(), useOrganization()?.timezone);
  const asked = `${search.get("month") ?? today.slice(0, 7)}-01`;
  const first = isDay(asked) ? asked : `${today.slice(0, 7)}-01`;
  const deviceId = search.get("printer") ?? (devices.find(isReal) ?? devices[0])?.id ?? "";
  const month = useQuery({
    ...read("/api/v1/reports/calendar", { query: { deviceId, month: first.slice(0, 7) } }),
    refetchInterval: AGAIN_MS,
  });
  const choose = (name: string, value: string) =>
    setSearch(
      (before) => {
        before.set(name, value);
        return before;
      },
      { replace: true },
    );
  return (
    <>
      <div className={styles.choice}>
        {devices.length > 1 && (
          <NativeSelect
            label={t("reports.printer")}
            data={printerChoices(devices, t)}
            value={deviceId}
            onChange={({ currentTarget: { value } }) => choose("printer", value)}
          />
        )}
        <MonthChoice first={first} today={today} choose={(day) => choose("month", day)} />
      </div>
      <PageStates query={month} skeleton={<PageSkeleton />}>
        {(shown) => (
          <>
            {shown.simulated && (
              <div>
                <PracticeNote of={shown} />
              </div>
            )}
            <Concerns key={`${shown.deviceId} ${shown.month}`} month={shown} />
            <Calendar month={shown} />
            <Legend />
            <MonthTotals month={shown} />
          </>
        )}
      </PageStates>
      <Export key={first} first={first} today={today} />
    </>
  );
}

interface MonthChoiceProps {
  readonly first: Day;
  readonly today: Day;
  readonly choose: (month: string) => void;
}

function MonthChoice({ first, today, choose }: MonthChoiceProps) {
  const { t } = useWords();
  const format = useFormat();
  const before = addDays(first, -1).slice(0, 7);
  const after = addDays(first, 31).slice(0, 7);
  return (
    <fieldset className={styles.months}>
      <legend className="unseen">{t("reports.month")}</legend>
      <Button
        variant="default"
        px={12}
        aria-label={t("reports.before")}
        onClick={() => choose(before)}
      >
        <Icon name="back" />
      </Button>
      <h2 className={styles.month} aria-live="polite">
        {format.month(first)}
      </h2>
      <Button
        variant="default"
        px={12}
        aria-label={t("reports.after")}
        disabled={after > today.slice(0, 7)}
        onClick={() => choose(after)}
      >
        <Icon name="next" />
      </Button>
    </fieldset>
  );
}

/** What the signs mean, where there is no room for words beside them. */
function Legend() {
  const { t } = useWords();
  const signs = [
    ...([["good", t("reports.made")]] as const),
    ...([["bad", t("reports.missing")]] as const),
    ...([["warn", `${t("reports.differs")} / ${t("reports.gap")}`]] as const),
    ...([["work", t("reports.open")]] as const),
  ] as const;
  return (
    <p className={styles.legend}>
      {signs.map(([mood, word]) => (
        <StateMark key={mood} mood={mood} word={word} />
      ))}
    </p>
  );
}
