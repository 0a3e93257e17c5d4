/** The pages of the settings that one may open: at the side, or as a first page on a phone. */

import { useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useMayWhat } from "../../api/hooks.ts";
import { Icon } from "../../parts/icon.tsx";
import { SETTINGS, settingsHref } from "../../settings-pages.ts";
import { useWords } from "../../words/words.tsx";
import styles from "./settings.module.css";

/** @param props.isFull with a line on each page, what it is for */
export function SettingsList({ isFull = false }: { readonly isFull?: boolean }) {
  const { t } = useWords();
  const may = useMayWhat();
  const [current] = useLocation();
  const list = useRef<HTMLElement>(null);
  // At the side it may be higher than the window.
  useEffect(() => {
    list.current?.querySelector(`[href="${current}"]`)?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const groups = SETTINGS.map(({ name, pages }) => ({
    name,
    pages: pages.filter((page) => may(page.may)),
  })).filter(({ pages }) => pages.length > 0);
  return (
    <nav ref={list} className={styles.list} data-full={isFull} aria-label={t("nav.settings")}>
      {groups.map(({ name, pages }) => (
        <section key={name} aria-labelledby={`settings-${name}`}>
          <h2 className={styles.group} id={`settings-${name}`}>
            {t(`settings.group.${name}`)}
          </h2>
          <ul>
            {pages.map((page) => {
              const href = settingsHref(page);
              const isHere = current === href || current.startsWith(`${href}/`);
              return (
                <li key={page.name}>
                  <Link
                    className={styles.entry}
                    href={href}
                    {...(isHere ? { "aria-current": "page" } : {})}
                  >
                    <Icon name={page.icon} />
                    <span className={styles.names}>
                      <span>{t(`settings.page.${page.name}`)}</span>
                      {isFull && (
                        <span className="aside">{t(`settings.page.${page.name}Text`)}</span>
                      )}
                    </span>
                    {isFull && <Icon name="next" />}
                  </Link>
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </nav>
  );
}
