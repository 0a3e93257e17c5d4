/**
 * A list of any length of which only what is in sight, and a little around it, is in the page. Rows
 * have heights that are known beforehand, so that nothing jumps.
 */

import {
  type CSSProperties,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import styles from "./windowed-list.module.css";

interface WindowedListProps<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** In pixels. */
  readonly heightOf: (row: Row) => number;
  /** What the list is of. */
  readonly label: string;
  /** Called while the end is near: the place to load more. */
  readonly onNearEnd?: (() => void) | undefined;
  /** Called with the keys of the rows that are in the page, when others have come into it. */
  readonly onRows?: ((keys: readonly string[]) => void) | undefined;
  readonly children: (row: Row) => ReactNode;
}

/** Rows above and below what is in sight, for quick thumbs and for the tabulator. */
const SPARE = 15;
/** However high the window is. */
const ROWS_MAX = 200;
/** So many rows come and go at once, rather than each by itself. */
const STEP = 8;

export function WindowedList<Row>(props: WindowedListProps<Row>) {
  const { rows, keyOf, heightOf, label, onNearEnd, onRows, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const tops = useMemo(() => topsOf(rows, heightOf), [rows, heightOf]);
  const [first, last] = useInSight(list, tops);
  const isNearEnd = last >= rows.length - SPARE;
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, onNearEnd]);
  useEffect(() => {
    onRows?.(rows.slice(first, last + 1).map(keyOf));
  }, [rows, first, last, keyOf, onRows]);
  return (
    <ul
      ref={list}
      className={styles.list}
      aria-label={label}
      style={{ height: tops.at(-1) ?? 0 }}
      data-windowed
    >
      {rows.slice(first, last + 1).map((row, at) => (
        <li
          key={keyOf(row)}
          className={styles.row}
          style={placed(tops[first + at] ?? 0, heightOf(row))}
          aria-setsize={rows.length}
          aria-posinset={first + at + 1}
        >
          {children(row)}
        </li>
      ))}
    </ul>
  );
}

const placed = (top: number, height: number): CSSProperties => ({
  transform: `translateY(${top}px)`,
  height,
});

/** Where each row begins, and where the last ends. */
function topsOf<Row>(rows: readonly Row[], heightOf: (row: Row) => number): number[] {
  const tops = [0];
  for (const row of rows) tops.push((tops.at(-1) ?? 0) + heightOf(row));
  return tops;
}

/** The first and the last row to be in the page. */
function useInSight(
  list: { readonly current: HTMLElement | null },
  tops: readonly number[],
): readonly [number, number] {
  const [range, setRange] = useState<readonly [number, number]>([0, 2 * SPARE]);
  const count = tops.length - 1;
  useLayoutEffect(() => {
    const look = () => {
      const above = -(list.current?.getBoundingClientRect().top ?? 0);
      const first = Math.max(0, stepOf(rowAt(tops, above)) - SPARE);
      const end = stepOf(rowAt(tops, above + window.innerHeight)) + STEP + SPARE;
      const last = Math.min(count - 1, end, first + ROWS_MAX - 1);
      setRange((old) => (old[0] === first && old[1] === last ? old : [first, last]));
    };
    look();
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [list, tops, count]);
  return [range[0], Math.min(range[1], count - 1)];
}

const stepOf = (row: number): number => row - (row % STEP);

/** The row that covers a height, found by halving. */
function rowAt(tops: readonly number[], height: number): number {
  let low = 0;
  let high = Math.max(0, tops.length - 2);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= height) low = middle;
    else high = middle - 1;
  }
  return low;
}
