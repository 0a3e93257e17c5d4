/** What backups need of an owner: a passphrase that is on paper too, a place and an hour. */

import { Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { answer } from "../../client/index.ts";
import { boxNow } from "../api/box-clock.ts";
import { api } from "../api/client.ts";
import { useOrganization } from "../api/hooks.ts";
import { type Body, queries } from "../api/queries.ts";
import { useWords } from "../words/words.tsx";
import { hoursOf, placesOf } from "./backup-places.ts";
import { useDraft } from "./draft.ts";
import styles from "./form.module.css";
import { Form } from "./form.tsx";
import { Notice } from "./notice.tsx";
import { newPassphrase } from "./passphrase.ts";
import type { Reasons } from "./reason-for.ts";
import { SaveRow } from "./save-row.tsx";
import { minutesAhead } from "./shop-days.ts";

type Backups = Body<"/api/v1/backups">;

/** As the gateway has it. */
const PASSPHRASE_MIN = 12;
const REASONS = { CONFLICT: "backup.notKept" } as const satisfies Reasons;

export function BackupForm({ backups }: { readonly backups: Backups }) {
  const { settings } = backups;
  const { t } = useWords();
  const [isWritten, setWritten] = useState(false);
  const [isChanging, setChanging] = useState(!settings.hasPassphrase);
  const { to, at } = settings;
  const draft = useDraft(
    { to, at, passphrase: "" },
    {
      send: (changed) => answer(api.PATCH("/api/v1/backups/settings", { body: changed })),
      stored() {
        // It is on paper now; here it is shown never again.
        setWritten(false);
        setChanging(false);
        return queries.invalidateQueries({ queryKey: ["/api/v1/backups"] });
      },
    },
  );
  const { shown, change } = draft;
  const { passphrase } = shown;
  const setPassphrase = (text: string) => change({ passphrase: text });
  const isUnsaid = isChanging && (passphrase.length < PASSPHRASE_MIN || !isWritten);
  return (
    <Form className={styles.form} onSubmit={draft.submit} autoComplete="off">
      {isChanging ? (
        <Passphrase
          isFirst={!settings.hasPassphrase}
          {...{ passphrase, setPassphrase, isWritten, setWritten }}
        />
      ) : (
        <div className={styles.row}>
          <p>{t("backup.hasPassphrase")}</p>
          <Button variant="default" onClick={() => setChanging(true)}>
            {t("backup.changePassphrase")}
          </Button>
        </div>
      )}
      <Choice
        label={t("backup.place")}
        value={shown.to}
        isFixed={settings.toFixedBy !== null}
        choices={placesOf(backups, t)}
        choose={(value) => change({ to: value })}
      />
      <Hour settings={settings} at={shown.at} choose={(value) => change({ at: value })} />
      {(isChanging || settings.toFixedBy === null || settings.atFixedBy === null) && (
        <SaveRow
          saving={draft.saving}
          variant="default"
          isDisabled={isUnsaid}
          isChanged={isChanging || draft.isChanged}
          reasons={REASONS}
        />
      )}
    </Form>
  );
}

interface PassphraseProps {
  readonly isFirst: boolean;
  readonly passphrase: string;
  readonly setPassphrase: (text: string) => void;
  readonly isWritten: boolean;
  readonly setWritten: (isWritten: boolean) => void;
}

/** Shown as it is typed: it has to come onto paper, letter by letter. */
function Passphrase(props: PassphraseProps) {
  const { isFirst, passphrase, setPassphrase, isWritten, setWritten } = props;
  const { t } = useWords();
  return (
    <>
      <Notice
        mood="warn"
        text={t(isFirst ? "backup.passphraseText" : "backup.passphraseChangeText")}
      />
      <div className={styles.row}>
        <TextInput
          label={t("backup.passphrase")}
          description={t("backup.passphraseLength")}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          minLength={PASSPHRASE_MIN}
          maxLength={200}
          value={passphrase}
          onChange={({ currentTarget: { value } }) => setPassphrase(value)}
        />
        <Button variant="default" onClick={() => setPassphrase(newPassphrase())}>
          {t("backup.suggest")}
        </Button>
      </div>
      <Checkbox
        size="md"
        className={styles.choice}
        label={t("backup.written")}
        checked={isWritten}
        onChange={({ currentTarget: { checked } }) => setWritten(checked)}
      />
    </>
  );
}

interface HourProps {
  readonly settings: Backups["settings"];
  readonly at: string;
  readonly choose: (at: string) => void;
}

/** By the shop's clock, which the box's own need not be. */
function Hour({ settings, at, choose }: HourProps) {
  const { t } = useWords();
  const { timezone } = settings;
  const shopZone = useOrganization()?.timezone;
  const [now] = useState(() => boxNow());
  const ahead = minutesAhead(shopZone, timezone, now);
  return (
    <>
      <Choice
        isShort
        label={t("backup.hour")}
        value={at}
        isFixed={settings.atFixedBy !== null}
        choices={hoursOf(settings.at, t, ahead)}
        choose={choose}
      />
      {ahead !== 0 && at !== "off" && (
        <p className="aside">{t("backup.hourBox", { timezone, time: at })}</p>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** A person at the box has set it, and changes it there. */
  readonly isFixed: boolean;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly choose: (value: string) => void;
  readonly isShort?: boolean;
}

function Choice({ label, value, isFixed, choices, choose, isShort = false }: ChoiceProps) {
  const { t } = useWords();
  if (!isFixed) {
    return (
      <NativeSelect
        {...(isShort ? { className: styles.short } : {})}
        label={label}
        value={value}
        data={[...choices]}
        onChange={({ currentTarget: { value: chosen } }) => choose(chosen)}
      />
    );
  }
  return (
    <div className={styles.fixed}>
      <strong>{label}</strong>
      <span>{choices.find((choice) => choice.value === value)?.label ?? value}</span>
      <p className="aside">{t("backup.fixed")}</p>
    </div>
  );
}
