/**
 * What `useEndless` has loaded, as each of these lists shows it: what is new above the rows, what is
 * to come below them, and the reader where they were.
 */

import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import type { useEndless } from "./endless.ts";
import { useKeptPlace } from "./kept-place.ts";
import { ListEnd } from "./list-end.tsx";
import { NewsPill } from "./news-pill.tsx";
import { PageStates } from "./page-states.tsx";
import { WindowedList } from "./windowed-list.tsx";

interface EndlessListProps<Row> {
  readonly list: Omit<ReturnType<typeof useEndless>, "rows">;
  /** Its rows, or what they are shown as. */
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** In pixels. */
  readonly heightOf: (row: Row) => number;
  /** What the list is of. */
  readonly label: string;
  /** Where there is nothing. */
  readonly empty: ReactNode;
  readonly children: (row: Row) => ReactNode;
}

export function EndlessList<Row>(props: EndlessListProps<Row>) {
  const { list, rows, keyOf, heightOf, label, empty, children } = props;
  useKeptPlace(rows.length);
  return (
    <PageStates query={list.query} isEmpty={() => rows.length === 0 && !list.hasMore} empty={empty}>
      {() => (
        <>
          <NewsPill count={list.freshCount} isMore={list.isMoreFresh} show={list.showFresh} />
          <WindowedList
            rows={rows}
            keyOf={keyOf}
            heightOf={heightOf}
            label={label}
            onNearEnd={list.more}
            onRows={list.look}
          >
            {children}
          </WindowedList>
          <ListEnd hasMore={list.hasMore} isFailed={list.isFailed} again={list.again} />
        </>
      )}
    </PageStates>
  );
}

/** A row is known by its id. */
export const idOf = ({ id }: { readonly id: string }): string => id;

interface Heights<Row> {
  readonly wide: (row: Row) => number;
  /** Beside the rail, where a line is short; as wide ones unless given. */
  readonly middle?: (row: Row) => number;
  readonly narrow: (row: Row) => number;
}

/** Up to this the rail leaves little room; pixels. */
const MIDDLE_UP_TO = 1_000;

/**
 * The heights of rows, in pixels, and others where there is less room, as the style sheets have them.
 * @param upTo the widest page with less room, in pixels: a phone's unless given
 */
export function useHeight<Row>(heights: Heights<Row>, upTo = 560) {
  const isNarrow = useIsUpTo(upTo);
  const isMiddle = useIsUpTo(MIDDLE_UP_TO);
  if (isNarrow) return heights.narrow;
  return (isMiddle ? heights.middle : undefined) ?? heights.wide;
}

function useIsUpTo(pixels: number) {
  return useMediaQuery(`(max-width: ${pixels}px)`, undefined, { getInitialValueInEffect: false });
}
