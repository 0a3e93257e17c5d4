/** Finds pages, printers, deeds and receipts by a few letters: opened by `/`, led by the arrow keys. */

import { Modal, TextInput } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import { useLocation } from "wouter";
import { useDialog } from "../parts/dialog.ts";
import { Icon } from "../parts/icon.tsx";
import { useWords } from "../words/words.tsx";
import type { NavigationPlace } from "./page-route.ts";
import styles from "./search.module.css";
import { SEARCH_FIELD } from "./search-keys.ts";
import { useFound } from "./search-results.ts";

const LIST = "search-found";

export default function Search({ places, asked, ask, close }: SearchProps) {
  const { t } = useWords();
  const [, navigate] = useLocation();
  useDialog(true, close);
  const [at, setAt] = useState(0);
  const { found, hasMore } = useFound(places, asked);
  const chosen = found[Math.min(at, found.length - 1)];

  const open = (href: string) => {
    close();
    // In the place of the search, which is nothing to come back to.
    navigate(href, { replace: true });
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((at + step + found.length) % Math.max(1, found.length));
    }
    if (event.key === "Enter" && chosen !== undefined) open(chosen.href);
  };

  return (
    <Modal
      opened
      onClose={close}
      title={t("search.open")}
      closeButtonProps={{ "aria-label": t("search.close") }}
      size="lg"
      yOffset="10vh"
      centered={false}
    >
      <TextInput
        aria-label={t("search.open")}
        placeholder={t("search.placeholder")}
        leftSection={<Icon name="search" />}
        id={SEARCH_FIELD}
        value={asked}
        onChange={({ currentTarget: { value } }) => {
          ask(value);
          setAt(0);
        }}
        // What was typed before the field was there is gone on with.
        onFocus={({ currentTarget: field }) => field.setSelectionRange(asked.length, asked.length)}
        onKeyDown={press}
        data-autofocus
        // Room for the ring that shows where one types.
        pt={4}
        role="combobox"
        aria-expanded
        aria-controls={LIST}
        {...(chosen === undefined ? {} : { "aria-activedescendant": `${LIST}-${chosen.href}` })}
      />
      <div className={styles.found} role="listbox" id={LIST} aria-label={t("search.found")}>
        {found.map((one) => (
          <button
            key={one.href}
            id={`${LIST}-${one.href}`}
            type="button"
            role="option"
            aria-selected={one === chosen}
            tabIndex={-1}
            className={styles.one}
            onClick={() => open(one.href)}
          >
            <Icon name={one.icon} />
            {one.text}
          </button>
        ))}
      </div>
      {found.length === 0 && <p className="quiet">{t("search.nothing")}</p>}
      {hasMore && <p className="quiet">{t("search.more")}</p>}
    </Modal>
  );
}

interface SearchProps {
  readonly places: readonly NavigationPlace[];
  /** What is looked for. */
  readonly asked: string;
  readonly ask: (asked: string) => void;
  readonly close: () => void;
}
