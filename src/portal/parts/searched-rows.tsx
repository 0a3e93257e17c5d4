/** Rows of a list that is there as a whole; a long one can be searched. */

import { Button, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { plain } from "../shell/search-words.ts";
import { useWords } from "../words/words.tsx";
import filterStyles from "./filters.module.css";
import { useFilters } from "./filters.tsx";
import { Icon } from "./icon.tsx";
import { Empty } from "./page-states.tsx";
import { RowList } from "./row-list.tsx";

/** Fewer are seen at one look. */
const LONG = 10;

interface SearchedRowsProps<Item> {
  readonly items: readonly Item[];
  /** What is looked through, in words: "Name, address". */
  readonly label: string;
  readonly textsOf: (item: Item) => readonly string[];
  readonly children: (item: Item) => ReactNode;
}

/** What is looked for stands in the address; each word of it has to be somewhere in a row. */
export function SearchedRows<Item>({ items, label, textsOf, children }: SearchedRowsProps<Item>) {
  const { t } = useWords();
  const { params, set } = useFilters();
  const typed = params.get("q") ?? "";
  const words = plain(typed)
    .split(/\s+/)
    .filter((word) => word !== "");
  const found = items.filter((item) => {
    const text = plain(textsOf(item).join(" "));
    return words.every((word) => text.includes(word));
  });
  return (
    <>
      {(items.length >= LONG || typed !== "") && (
        <search className={filterStyles.bar}>
          <TextInput
            className={filterStyles.search}
            type="search"
            aria-label={label}
            placeholder={label}
            leftSection={<Icon name="search" />}
            value={typed}
            onChange={({ currentTarget: { value } }) => set("q", value)}
          />
        </search>
      )}
      {found.length === 0 ? (
        <Empty title={t("search.nothing")}>
          <Button variant="default" onClick={() => set("q", "")}>
            {t("filters.clear")}
          </Button>
        </Empty>
      ) : (
        <RowList>{found.map(children)}</RowList>
      )}
    </>
  );
}
