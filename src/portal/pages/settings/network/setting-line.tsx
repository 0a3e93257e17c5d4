/** What only a person at the box can set: the lines, and where they go. */

import { Fragment } from "react";
import type { Body } from "../../../api/queries.ts";
import { CopyText } from "../../../parts/copy-text.tsx";
import { useWords } from "../../../words/words.tsx";
import styles from "../cards.module.css";
import own from "./network.module.css";

type Settings = Body<"/api/v1/network">["settings"];

interface SettingLineProps {
  readonly settings: Settings;
  /** `http` of `http.redirect`. */
  readonly area: "http" | "https" | "mdns" | "update";
  /** By the rest of their names. */
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  /** Where it is what has to be done. */
  readonly isOpen?: boolean;
}

export function SettingLine({ settings, area, values, isOpen = false }: SettingLineProps) {
  const { t } = useWords();
  const { file, restart, given } = settings;
  const wishes = Object.entries(values).map(([name, value]) => {
    const key = `${area}.${name}`;
    return { name, value, given: given.find((one) => one.key === key) };
  });
  const ofFile = wishes.filter((wish) => wish.given === undefined);
  return (
    <details open={isOpen}>
      <summary className={styles.summary}>{t("network.change")}</summary>
      <div className={own.setting}>
        {ofFile.length > 0 && (
          <>
            <p className="aside">{t("network.changeText", { file })}</p>
            <CopyText isBlock text={[`[${area}]`, ...ofFile.map(tomlOf)].join("\n")} />
          </>
        )}
        {wishes.map(
          ({ name, value, given: by }) =>
            by !== undefined && (
              <Fragment key={name}>
                <p className="aside">{t("network.changeGiven", { name: by.name })}</p>
                <CopyText isBlock text={`${by.name}=${[value].flat().join(",")}`} />
              </Fragment>
            ),
        )}
        <p className="aside">
          {t(restart === null ? "network.changeStart" : "network.changeRestart")}
        </p>
        {restart !== null && <CopyText text={restart} />}
      </div>
    </details>
  );
}

/** A list and a text are written in TOML as in JSON. */
function tomlOf({ name, value }: { readonly name: string; readonly value: unknown }): string {
  return `${name} = ${JSON.stringify(value)}`;
}
