/**
 * Who changed what, newest first, as far back as its reader goes: all of it, or what was done to one
 * thing: `<HistoryList filter={{ resource: device.id }} />`. For owners and admins.
 */

import { useMediaQuery } from "@mantine/hooks";
import { memo, type ReactNode } from "react";
import { Link } from "wouter";
import { useOrganization } from "../api/hooks.ts";
import type { Params } from "../api/queries.ts";
import { useFormat, useWords } from "../words/words.tsx";
import { useEndless } from "./endless.ts";
import { type HistoryEntry, pageOf, useDeed, useSaid } from "./history-entry.ts";
import styles from "./history-list.module.css";
import { Icon } from "./icon.tsx";
import { useKeptPlace } from "./kept-place.ts";
import { ListEnd } from "./list-end.tsx";
import { NewsPill } from "./news-pill.tsx";
import { Empty, PageStates } from "./page-states.tsx";
import { dayOf } from "./shop-days.ts";
import { useWho } from "./who.ts";
import { WindowedList } from "./windowed-list.tsx";

type Filter = Pick<NonNullable<Params<"/api/v1/audit">["query"]>, "resource" | "actor" | "action">;

interface HistoryListProps {
  readonly filter: Filter;
  /** Where there is nothing. */
  readonly empty?: ReactNode;
}

/** Pixels, as `history-list.module.css` has it. */
const ROW_HEIGHT = 68;
const NARROW_ROW_HEIGHT = 92;

export function HistoryList({ filter, empty }: HistoryListProps) {
  const { t } = useWords();
  const list = useEndless("/api/v1/audit", { ...filter, sortOrder: "desc" });
  const [deed, said, who] = [useDeed(), useSaid(), useWho()];
  const isNarrow = useMediaQuery("(max-width: 560px)", undefined, {
    getInitialValueInEffect: false,
  });
  useKeptPlace(list.rows.length);
  return (
    <PageStates
      query={list.query}
      isEmpty={() => list.rows.length === 0 && !list.hasMore}
      empty={empty ?? <Empty title={t("history.emptyOne")} />}
    >
      {() => (
        <>
          <NewsPill count={list.freshCount} show={list.showFresh} />
          <WindowedList
            rows={list.rows}
            keyOf={({ id }) => id}
            heightOf={isNarrow ? narrowHeight : height}
            label={t("history.title")}
            onNearEnd={list.more}
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
          </WindowedList>
          <ListEnd hasMore={list.hasMore} isFailed={list.isFailed} again={list.again} />
        </>
      )}
    </PageStates>
  );
}

const height = () => ROW_HEIGHT;
const narrowHeight = () => NARROW_ROW_HEIGHT;

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
  const isToday = dayOf(createdAt, timezone) === dayOf(Date.now(), timezone);
  const details = [
    isToday ? format.time(createdAt) : format.dateTime(createdAt),
    t("history.by", { who }),
    said,
    address === null ? undefined : t("history.from", { address }),
  ].filter((part) => part !== undefined);
  const page = isHere ? undefined : pageOf(entry);
  const text = (
    <span className={styles.what}>
      <span className={styles.deed}>{deed}</span>
      <span className={`aside ${styles.details}`}>{details.join(" · ")}</span>
    </span>
  );
  if (page === undefined) return <div className={styles.row}>{text}</div>;
  return (
    <Link className={styles.row} href={page} state={{ fromList: true }}>
      {text}
      <Icon name="next" />
    </Link>
  );
});
