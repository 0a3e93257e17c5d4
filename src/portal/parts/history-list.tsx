/**
 * Who changed what, newest first, as far back as its reader goes: all of it, or what was done to one
 * thing: `<HistoryList filter={{ resource: device.id }} />`. For owners and admins.
 */

import { memo, type ReactNode } from "react";
import { Link } from "wouter";
import { boxNow } from "../api/box-clock.ts";
import { useOrganization } from "../api/hooks.ts";
import type { Params } from "../api/queries.ts";
import { useFormat, useWords } from "../words/words.tsx";
import { dotted } from "./dotted.ts";
import { useEndless } from "./endless.ts";
import { EndlessList, idOf, useHeight } from "./endless-list.tsx";
import { type HistoryEntry, pageOf, useDeed, useSaid } from "./history-entry.ts";
import styles from "./history-list.module.css";
import { Icon } from "./icon.tsx";
import rowStyles from "./list-row.module.css";
import { Empty } from "./page-states.tsx";
import { dayOf } from "./shop-days.ts";
import { useWho } from "./who.ts";

type Filter = Pick<
  NonNullable<Params<"/api/v1/audit">["query"]>,
  "resource" | "actor" | "action" | "from" | "to"
>;

interface HistoryListProps {
  readonly filter: Filter;
  /** Where there is nothing. */
  readonly empty?: ReactNode;
}

/** Pixels, as `history-list.module.css` has it. */
const HEIGHTS = { wide: () => 68, narrow: () => 92 };
/** Beside the list of settings a sentence with a printer's name in it takes two lines. */
const NARROW = 1_100;

export function HistoryList({ filter, empty }: HistoryListProps) {
  const { t } = useWords();
  const list = useEndless("/api/v1/audit", { ...filter, sortOrder: "desc" });
  const [deed, said, who] = [useDeed(), useSaid(), useWho()];
  const heightOf = useHeight(HEIGHTS, NARROW);
  return (
    <EndlessList
      list={list}
      rows={list.rows}
      keyOf={idOf}
      heightOf={heightOf}
      label={t("history.title")}
      empty={empty ?? <Empty title={t("history.emptyOne")} />}
    >
      {(entry) => (
        <Row
          entry={entry}
          deed={deed(entry)}
          said={said(entry)}
          who={who(entry.actor)}
          isHere={entry.resource === filter.resource}
        />
      )}
    </EndlessList>
  );
}

interface RowProps {
  readonly entry: HistoryEntry;
  readonly deed: string;
  readonly said: string | undefined;
  readonly who: string;
  /** Its thing is what the reader looks at. */
  readonly isHere: boolean;
}

const Row = memo(function Row({ entry, deed, said, who, isHere }: RowProps) {
  const { t } = useWords();
  const format = useFormat();
  const timezone = useOrganization()?.timezone;
  const { createdAt, address } = entry;
  const isToday = dayOf(createdAt, timezone) === dayOf(boxNow(), timezone);
  const details = [
    isToday ? format.time(createdAt) : format.dateTime(createdAt),
    t("history.by", { who }),
    said,
    address === null ? undefined : t("history.from", { address }),
  ];
  const page = isHere ? undefined : pageOf(entry);
  const text = (
    <span className={styles.what}>
      <span className={styles.deed}>{deed}</span>
      <span className={`aside ${styles.details}`}>{dotted(details)}</span>
    </span>
  );
  if (page === undefined) return <div className={`${rowStyles.row} ${styles.row}`}>{text}</div>;
  return (
    <Link className={`${rowStyles.row} ${styles.row}`} href={page} state={{ fromList: true }}>
      {text}
      <Icon name="next" />
    </Link>
  );
});
