/** The printer's VAT table: read by everybody, changed where the printer lets one, and rarely. */

import { Button, Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import type { Body } from "../../../api/queries.ts";
import { Confirm } from "../../../parts/confirm.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { useVatGroups } from "../../../parts/printer-groups.ts";
import type { VatGroups } from "../../../parts/vat-group.ts";
import { useFormat, useWords } from "../../../words/words.tsx";
import type { Printer, TabProps } from "../tab.ts";
import { usePrinterRead } from "./live-read.ts";
import { Part } from "./part.tsx";
import { SettingState, useSetting } from "./setting.tsx";
import styles from "./setup.module.css";
import { type RateDraft, readRate, wishedRates } from "./vat-draft.ts";

type Rate = Body<"/api/v1/devices/{deviceId}/vat-rates">["rates"][number];
type Limits = Body<"/api/v1/devices/{deviceId}/vat-capabilities">["capabilities"];

export function Vat({ printer }: Pick<TabProps, "printer">) {
  const { t } = useWords();
  const limits = usePrinterRead("/api/v1/devices/{deviceId}/vat-capabilities", printer);
  const rates = usePrinterRead("/api/v1/devices/{deviceId}/vat-rates", printer);
  return (
    <Part
      printer={printer}
      title={t("setting.vat")}
      text={t("setting.vatText")}
      reads={[limits, rates]}
      cannot={t("setting.vatCannot")}
    >
      {() =>
        limits.data !== undefined &&
        rates.data !== undefined && (
          <Table printer={printer} limits={limits.data.capabilities} now={rates.data.rates} />
        )
      }
    </Part>
  );
}

interface TableProps {
  readonly printer: Printer;
  readonly limits: Limits;
  readonly now: readonly Rate[];
}

function Table({ printer, limits, now }: TableProps) {
  const { t } = useWords();
  const [drafts, setDrafts] = useState<Readonly<Record<string, RateDraft>>>();
  const [isAsking, setAsking] = useState(false);
  const setting = useSetting(printer, {
    name: "vat",
    changed: [
      ...(["/api/v1/devices/{deviceId}/vat-rates"] as const),
      "/api/v1/devices/{deviceId}/vat-capabilities",
    ],
    saved: () => setDrafts(undefined),
  });
  const isOpen = drafts !== undefined;
  const isFixed = limits.ratesProgrammable === false;
  const wishes = wishedRates(now, drafts ?? {});
  const groups = useVatGroups(printer.id);
  const isWrong = Object.values(drafts ?? {}).some(({ text }) => readRate(text) === undefined);
  const ask = () => {
    setting.order.mutate({ type: "set_vat_rates", payload: { rates: [...wishes] } });
    setAsking(false);
  };
  return (
    <>
      <ul className={`${styles.rows} ${isOpen ? styles.rates : ""}`}>
        {now.map((rate) => (
          <Row
            key={rate.group}
            rate={rate}
            name={groups.nameOf(rate.group)}
            isBusy={setting.isBusy}
            draft={isOpen ? (drafts[rate.group] ?? draftOf(rate)) : undefined}
            onChange={(draft) => {
              setting.order.reset();
              setDrafts({ ...drafts, [rate.group]: draft });
            }}
          />
        ))}
      </ul>
      {isFixed ? (
        <Notice mood="idle" text={t("setting.vatFixed")} />
      ) : (
        <>
          <Left count={leftOf(setting.command?.result?.data) ?? limits.changesLeft} />
          {isOpen && (
            <Notice mood="warn" text={t("setting.vatLaw")}>
              <Button component={Link} variant="default" href={`/printers/${printer.id}/actions`}>
                {t("actions.z")}
              </Button>
            </Notice>
          )}
          <div className={styles.ends}>
            {isOpen ? (
              <>
                <Button
                  disabled={wishes.length === 0 || isWrong}
                  loading={setting.isBusy}
                  onClick={() => setAsking(true)}
                >
                  {t("setting.vatSave")}
                </Button>
                <Button
                  variant="default"
                  disabled={setting.isBusy}
                  onClick={() => setDrafts(undefined)}
                >
                  {t("setting.undo")}
                </Button>
              </>
            ) : (
              <Button variant="default" onClick={() => setDrafts({})}>
                {t("setting.vatChange")}
              </Button>
            )}
            <SettingState {...setting} />
          </div>
        </>
      )}
      <Confirm
        isOpen={isAsking}
        isDanger
        title={t("setting.vatTitle", { printer: printer.name })}
        text={t("setting.vatConfirm")}
        action={t("setting.vatSave")}
        onConfirm={ask}
        onClose={() => setAsking(false)}
      >
        <Changes now={now} wishes={wishes} groups={groups} />
      </Confirm>
    </>
  );
}

const draftOf = ({ rate, enabled }: Rate): RateDraft => ({ text: String(rate), enabled });

/** What the printer said after the last change. */
function leftOf(data: unknown): number | undefined {
  const isTold = typeof data === "object" && data !== null && "changesLeft" in data;
  return isTold && typeof data.changesLeft === "number" ? data.changesLeft : undefined;
}

function Left({ count }: { readonly count: number | null }) {
  const { t } = useWords();
  return (
    <p className="aside">
      {count === null ? t("setting.vatLeftUnknown") : t("setting.vatLeft", { count })}
    </p>
  );
}

interface RowProps {
  readonly rate: Rate;
  /** Of its group. */
  readonly name: string;
  /** While the printer is at it. */
  readonly isBusy: boolean;
  /** Undefined while nothing is changed. */
  readonly draft: RateDraft | undefined;
  readonly onChange: (draft: RateDraft) => void;
}

function Row({ rate, name, isBusy, draft, onChange }: RowProps) {
  const { t } = useWords();
  if (draft === undefined) {
    return (
      <li className={styles.row}>
        <span>{name}</span>
        <RateText rate={rate} />
      </li>
    );
  }
  return (
    <li className={styles.row}>
      <span>{name}</span>
      <Checkbox
        label={t("setting.vatOn")}
        aria-label={t("setting.vatOnOf", { group: name })}
        checked={draft.enabled}
        disabled={isBusy}
        onChange={({ currentTarget: { checked } }) => onChange({ ...draft, enabled: checked })}
      />
      <TextInput
        className={styles.rate}
        aria-label={t("setting.vatRateOf", { group: name })}
        inputMode="decimal"
        rightSection="%"
        value={draft.text}
        disabled={isBusy}
        error={readRate(draft.text) === undefined}
        onChange={({ currentTarget: { value } }) => onChange({ ...draft, text: value })}
      />
    </li>
  );
}

function RateText({ rate: { rate, enabled } }: { readonly rate: Rate }) {
  const { t } = useWords();
  const format = useFormat();
  if (!enabled) return <span className="quiet">{t("setting.vatOff")}</span>;
  return <strong className="figure">{t("setting.percent", { rate: format.number(rate) })}</strong>;
}

interface ChangesProps {
  readonly now: readonly Rate[];
  readonly wishes: readonly Rate[];
  readonly groups: VatGroups;
}

function Changes({ now, wishes, groups }: ChangesProps) {
  const { t } = useWords();
  return (
    <ul className={styles.rows}>
      {wishes.map((wish) => {
        const before = now.find(({ group }) => group === wish.group);
        return (
          <li key={wish.group} className={styles.row}>
            <span>{groups.nameOf(wish.group)}</span>
            <span className={styles.becomes}>
              {before !== undefined && <RateText rate={before} />}
              <span className="quiet">{t("setting.becomes")}</span>
              <RateText rate={wish} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
