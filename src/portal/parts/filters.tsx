/** What a list is narrowed by: chips that stand in the address, so that a link shows the same. */

import { NativeSelect } from "@mantine/core";
import { useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { useOrganization } from "../api/hooks.ts";
import { useWords } from "../words/words.tsx";
import { DayField } from "./day-field.tsx";
import styles from "./filters.module.css";
import { areDays, areTurned, type Days, daysOf, isNamed, PERIODS } from "./period.ts";

/** Sets one filter, and leaves the others; empty takes it away. */
export function useFilters() {
  const [params, setParams] = useSearchParams();
  const set = (name: string, value: string) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return { params, set, clear: () => setParams({}, { replace: true }) };
}

interface ChipSelectProps {
  readonly name: string;
  /** What it narrows. */
  readonly label: string;
  /** The first choice: everything. */
  readonly all: string;
  readonly choices: readonly (Choice | ChoiceGroup)[];
}

/** What may be chosen. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Choices of one kind. */
export interface ChoiceGroup {
  readonly group: string;
  readonly items: Choice[];
}

/** One of some; a finger meets the device's own wheel. */
export function ChipSelect({ name, label, all, choices }: ChipSelectProps) {
  const { params, set } = useFilters();
  const value = params.get(name) ?? "";
  return (
    <NativeSelect
      className={styles.chip}
      data-on={value !== ""}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => set(name, currentTarget.value)}
      data={[{ value: "", label: all }, ...choices]}
    />
  );
}

const FREE = "days";

/** A period by its name, or from one day to another. */
export function PeriodChips() {
  const { t } = useWords();
  const { params, set } = useFilters();
  const timezone = useOrganization()?.timezone;
  const period = params.get("period");
  const days = daysOf(period, timezone);
  const isFree = days !== undefined && !isNamed(period);
  const choose = (value: string) => {
    const { first, last } = days ?? daysOf("today", timezone) ?? { first: "", last: "" };
    set("period", value === FREE ? `${first}..${last}` : value);
  };
  return (
    <>
      <NativeSelect
        className={styles.chip}
        data-on={days !== undefined}
        aria-label={t("filters.period")}
        value={isFree ? FREE : (period ?? "")}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          { value: "", label: t("filters.period.all") },
          ...PERIODS.map((value) => ({ value, label: t(`filters.period.${value}`) })),
          { value: FREE, label: t("filters.period.days") },
        ]}
      />
      {isFree && <FreeDays days={days} choose={(value) => set("period", value)} />}
    </>
  );
}

interface FreeDaysProps {
  /** As the address has them. */
  readonly days: Days;
  readonly choose: (period: string) => void;
}

/** What is typed on the way to a period stays in its fields, and no list is asked for it. */
function FreeDays({ days: { first, last }, choose }: FreeDaysProps) {
  const { t } = useWords();
  const [typed, setTyped] = useState<Days>({ first, last });
  // The address may be changed elsewhere, as by the way back.
  useEffect(() => setTyped({ first, last }), [first, last]);
  const type = (days: Days) => {
    setTyped(days);
    if (areDays(days)) choose(`${days.first}..${days.last}`);
  };
  return (
    <span className={styles.days}>
      <DayField
        aria-label={t("filters.first")}
        value={typed.first}
        onChange={(day) => type({ ...typed, first: day })}
      />
      <DayField
        aria-label={t("filters.last")}
        value={typed.last}
        onChange={(day) => type({ ...typed, last: day })}
        error={areTurned(typed) && t("reports.badRange")}
      />
    </span>
  );
}

const TYPED_MS = 300;

/** What is typed, once nothing more is typed for a moment. */
export function useTyped(name: string) {
  const { params, set } = useFilters();
  const asked = params.get(name) ?? "";
  const [typed, setTyped] = useState(asked);
  // The address may be changed elsewhere, as by the way back.
  useEffect(() => setTyped(asked), [asked]);
  useEffect(() => {
    if (typed.trim() === asked) return;
    const timer = setTimeout(() => set(name, typed.trim()), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed, asked, name, set]);
  return { typed, setTyped, asked };
}
