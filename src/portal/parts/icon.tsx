/** Table of icons: strokes on a field of 24, drawn here so that a page loads only these. */

const STROKES = {
  today: "M4 13h7V4H4zM13 20h7V4h-7zM4 20h7v-4H4z",
  printer: "M7 9V3h10v6M7 17H4v-6a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v6h-3M7 14h10v7H7z",
  receipt: "M6 3h12v18l-2.4-1.8L13.2 21 12 20l-1.2 1-2.4-1.8L6 21zM9 8h6M9 12h6M9 16h3",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  settings:
    "M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM12 3v3M12 18v3M4.2 7.5l2.6 1.5M17.2 15l2.6 1.5M4.2 16.5 6.8 15M17.2 9l2.6-1.5",
  more: "M4.5 12h1M11.5 12h1M18.5 12h1M4.5 12.5h1M11.5 12.5h1M18.5 12.5h1",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20 20",
  language:
    "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3.5 9h17M3.5 15h17M12 3c-5 5.5-5 12.5 0 18M12 3c5 5.5 5 12.5 0 18",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M4.2 4.2l1.4 1.4M18.4 18.4l1.4 1.4M2.5 12h2M19.5 12h2M4.2 19.8l1.4-1.4M18.4 5.6l1.4-1.4",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  contrast: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 3v18M15 5v14M18 8v8",
  leave: "M14 4H5v16h9M10 12h10M17 8.5l3.5 3.5-3.5 3.5",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "M5 12.5l4.5 4.5L19 7.5",
  close: "M6 6l12 12M18 6 6 18",
  back: "M14.5 5.5 8 12l6.5 6.5",
  next: "M9.5 5.5 16 12l-6.5 6.5",
  minus: "M5 12h14",
  plus: "M12 5v14M5 12h14",
  erase: "M9 6h11v12H9l-5-6zM12 10l4 4M16 10l-4 4",
  webhook: "M4 12h10M10.5 8.5 14 12l-3.5 3.5M14 5h4a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-4",
  plug: "M9 3v5M15 3v5M7 8h10v3a5 5 0 0 1-10 0zM12 16v5",
  paper: "M7 3h7l4 4v14H7zM13 3v5h5",
  shop: "M4 10v10h16V10M3 10l2-6h14l2 6zM9.5 20v-6h5v6",
  place:
    "M12 21c4-4.5 6.5-8 6.5-11a6.5 6.5 0 0 0-13 0c0 3 2.5 6.5 6.5 11zM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M15.5 4.3a3.5 3.5 0 0 1 0 6.4M17.5 14a6.5 6.5 0 0 1 4 6",
  about: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.5M12 7.5h.01",
  person: "M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0",
  key: "M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12h9M17 12v4M20.5 12v3",
  network: "M9 4h6v5H9zM12 9v5M4 20v-4a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v4",
  backup: "M4 8h16v12H4zM4 8l2-4h12l2 4M12 11v6M9 14l3 3 3-3",
  update: "M20 12a8 8 0 1 1-2.4-5.7M20 4v4.5h-4.5",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2",
} as const;

/** Name of an icon. */
export type IconName = keyof typeof STROKES;

/** Beside a word; the word says what it means. @param size in pixels, 20 unless given */
export function Icon({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flex: "none" }}
    >
      <path d={STROKES[name]} />
    </svg>
  );
}
