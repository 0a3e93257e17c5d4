/** What passes between the box and the printer, for a technician on the telephone. */

import { Button, TextInput } from "@mantine/core";
import { memo, useState } from "react";
import { useReach } from "../../../api/hooks.ts";
import type { TraceEntry } from "../../../api/trace.ts";
import filterStyles from "../../../parts/filters.module.css";
import { ChipSelect, useFilters, useTyped } from "../../../parts/filters.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { Empty, Failure, PageSkeleton } from "../../../parts/page-states.tsx";
import { saveFile } from "../../../parts/save-file.ts";
import { useFormat, useWords } from "../../../words/words.tsx";
import type { TabProps } from "../tab.ts";
import { asText, keyOf, matches, SHOWN_MAX } from "./entries.ts";
import { type FollowedLine, useLine } from "./follow.ts";
import styles from "./line.module.css";

const WAYS = ["out", "in", "line", "damaged"] as const;

export default function Line({ printer }: TabProps) {
  const { t } = useWords();
  const line = useLine(printer.id);
  const [paused, setPaused] = useState<readonly TraceEntry[]>();
  const { params } = useFilters();
  const filter = { text: params.get("q") ?? "", way: params.get("way") ?? "" };
  const found = (paused ?? line.entries).filter((entry) => matches(entry, filter));
  return (
    <>
      <p className="aside">{t("line.intro")}</p>
      <Bar
        line={line}
        paused={paused}
        pause={setPaused}
        found={found}
        fileName={`${printer.name}.txt`}
      />
      {line.dropped > 0 && <Notice mood="warn" text={t("line.dropped", { count: line.dropped })} />}
      <Ended line={line} />
      <Entries line={line} found={found} isFiltered={filter.text !== "" || filter.way !== ""} />
    </>
  );
}

interface BarProps {
  readonly line: FollowedLine;
  /** As it was when it was paused. */
  readonly paused: readonly TraceEntry[] | undefined;
  readonly pause: (at: readonly TraceEntry[] | undefined) => void;
  readonly found: readonly TraceEntry[];
  readonly fileName: string;
}

function Bar({ line, paused, pause, found, fileName }: BarProps) {
  const { t } = useWords();
  const format = useFormat();
  const { typed, setTyped } = useTyped("q");
  const isHeard = useReach().kind === "live";
  const newest = paused?.at(-1);
  const since =
    newest === undefined
      ? 0
      : line.entries.length -
        1 -
        line.entries.findLastIndex((entry) => keyOf(entry) === keyOf(newest));
  const save = () => {
    const text = asText(found, (at) => `${format.date(at)} ${format.exactTime(at)}`);
    saveFile(new Blob([text], { type: "text/plain" }), fileName);
  };
  return (
    <>
      <search className={filterStyles.bar}>
        <TextInput
          className={filterStyles.search}
          type="search"
          aria-label={t("line.search")}
          placeholder={t("line.search")}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <ChipSelect
          name="way"
          label={t("line.way")}
          all={t("line.way.all")}
          choices={WAYS.map((value) => ({ value, label: t(`line.way.${value}`) }))}
        />
      </search>
      <div className={styles.buttons}>
        <Button
          variant={paused === undefined ? "default" : "filled"}
          aria-pressed={paused !== undefined}
          onClick={() => pause(paused === undefined ? line.entries : undefined)}
        >
          {paused === undefined ? t("line.pause") : t("line.resume")}
        </Button>
        <Button variant="default" disabled={found.length === 0} onClick={save}>
          {t("line.save")}
        </Button>
        <span className="aside" role="status">
          {paused !== undefined && t("line.paused", { count: since })}
          {paused === undefined &&
            line.error === undefined &&
            isHeard &&
            t(line.isOpen ? "line.live" : "line.opening")}
        </span>
      </div>
    </>
  );
}

function Ended({ line: { error, again } }: { readonly line: FollowedLine }) {
  const { t } = useWords();
  if (error === undefined) return null;
  if (error.code !== "CONFLICT") return <Failure error={error} retry={again} />;
  return (
    <Notice mood="warn" text={t("line.notShown")}>
      <Button variant="default" onClick={again}>
        {t("states.retry")}
      </Button>
    </Notice>
  );
}

interface EntriesProps {
  readonly line: FollowedLine;
  readonly found: readonly TraceEntry[];
  readonly isFiltered: boolean;
}

/** The newest on top, where they are seen. */
function Entries({ line, found, isFiltered }: EntriesProps) {
  const { t } = useWords();
  if (!line.isOpen && line.entries.length === 0) {
    return line.error === undefined ? <PageSkeleton /> : null;
  }
  if (found.length === 0) {
    return isFiltered ? (
      <Empty title={t("line.nothing")} />
    ) : (
      <Empty title={t("line.empty")} text={t("line.emptyText")} />
    );
  }
  const shown = found.slice(-SHOWN_MAX).toReversed();
  return (
    <>
      <ol className={styles.entries} aria-label={t("printer.line")} data-dense>
        {shown.map((entry) => (
          <Entry key={keyOf(entry)} entry={entry} />
        ))}
      </ol>
      {found.length > shown.length && (
        <p className="aside">{t("line.older", { count: found.length - shown.length })}</p>
      )}
    </>
  );
}

const Entry = memo(function Entry({ entry }: { readonly entry: TraceEntry }) {
  const { t } = useWords();
  const format = useFormat();
  const { at, times, lastAt, text } = entry;
  const repeated = times > 1 && t("line.times", { count: times, time: format.exactTime(lastAt) });
  if (entry.kind === "line") {
    return (
      <li className={styles.entry} data-way="line">
        <time dateTime={at}>{format.exactTime(at)}</time>
        <span className={styles.way}>{t(`line.event.${entry.event}`)}</span>
        <span className={styles.text} translate="no">
          {text} {repeated}
        </span>
      </li>
    );
  }
  return (
    <li className={styles.entry} data-way={entry.isDamaged ? "damaged" : entry.direction}>
      <time dateTime={at}>{format.exactTime(at)}</time>
      <span className={styles.way}>
        <span aria-hidden="true">{entry.direction === "out" ? "→ " : "← "}</span>
        {t(entry.isDamaged ? "line.damaged" : `line.${entry.direction}`)}
      </span>
      <details className={styles.text}>
        <summary>
          <strong translate="no">{entry.name}</strong> <span translate="no">{text}</span> {repeated}
        </summary>
        <code translate="no">{entry.hex.replace(/(..)(?=.)/g, "$1 ")}</code>
        <span className="aside">{t("line.bytes", { count: entry.byteCount })}</span>
      </details>
    </li>
  );
});
