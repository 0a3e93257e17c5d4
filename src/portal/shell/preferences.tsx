/** What a reader chooses for this browser: language, light or dark; and the way out. */

import { Button, NativeSelect, useMantineColorScheme } from "@mantine/core";
import { useId } from "react";
import { logOut } from "../api/session.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { LANGUAGES, type Language, useWords } from "../words/words.tsx";
import styles from "./shell.module.css";

export function LanguageSwitch() {
  const { t, language, setLanguage } = useWords();
  const names = Object.entries(LANGUAGES).map(([value, { name }]) => ({ value, label: name }));
  return (
    <NativeSelect
      aria-label={t("shell.language")}
      leftSection={<Icon name="language" />}
      data={names}
      value={language}
      onChange={({ currentTarget: { value } }) => setLanguage(value as Language)}
    />
  );
}

const SCHEMES = [
  ["light", "sun"],
  ["dark", "moon"],
  ["auto", "contrast"],
] as const satisfies readonly (readonly [string, IconName])[];

/** @param props.isNamed with words, where there is room for them */
export function ThemeSwitch({ isNamed = false }: { readonly isNamed?: boolean }) {
  const { t } = useWords();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const group = useId();
  return (
    <fieldset className={styles.schemes} data-named={isNamed}>
      <legend className="unseen">{t("shell.theme")}</legend>
      {SCHEMES.map(([scheme, icon]) => (
        <label key={scheme} className={styles.scheme} title={t(`shell.theme.${scheme}`)}>
          <input
            type="radio"
            name={group}
            className="unseen"
            checked={colorScheme === scheme}
            onChange={() => setColorScheme(scheme)}
          />
          <Icon name={icon} />
          <span {...(isNamed ? {} : { className: "unseen" })}>{t(`shell.theme.${scheme}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** @param variant quiet below the navigation, as other buttons among them */
export function LeaveButton({ variant = "subtle" }: { readonly variant?: "subtle" | "default" }) {
  const { t } = useWords();
  return (
    <Button
      variant={variant}
      color="gray"
      justify="flex-start"
      leftSection={<Icon name="leave" />}
      onClick={() => logOut()}
    >
      {t("shell.leave")}
    </Button>
  );
}
