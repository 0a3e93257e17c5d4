/** What a list is narrowed by: chips that stand in the address, so that a link shows the same. */

import { NativeSelect, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { useOrganization } from "../api/hooks.ts";
import { useWords } from "../words/words.tsx";
import styles from "./filters.module.css";
import { daysOf, isNamed, PERIODS } from "./period.ts";

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
      {isFree && (
        <span className={styles.days}>
          <TextInput
            type="date"
            aria-label={t("filters.first")}
            value={days.first}
            max={days.last}
            onChange={({ currentTarget: { value } }) => set("period", `${value}..${days.last}`)}
          />
          <TextInput
            type="date"
            aria-label={t("filters.last")}
            value={days.last}
            min={days.first}
            onChange={({ currentTarget: { value } }) => set("period", `${days.first}..${value}`)}
          />
        </span>
      )}
    </>
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
