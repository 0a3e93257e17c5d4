/**
 * A day to choose. A browser writes it as its own language does, whatever the portal's is, and 11/01 is
 * two days: so it stands below in words. Its calendar and a phone's wheel stay the browser's.
 */

import { TextInput, type TextInputProps } from "@mantine/core";
import { useFormat } from "../words/words.tsx";
import styles from "./day-field.module.css";
import { type Day, isDay } from "./shop-days.ts";

interface DayFieldProps
  extends Pick<TextInputProps, "label" | "aria-label" | "description" | "error" | "min"> {
  /** Empty while none is chosen, or one is half typed. */
  readonly value: Day;
  readonly onChange: (day: Day) => void;
}

export function DayField({ value, onChange, ...field }: DayFieldProps) {
  const format = useFormat();
  return (
    <div className={styles.day}>
      <TextInput
        {...field}
        type="date"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p className="aside">{isDay(value) ? format.calendarDate(value) : ""}</p>
    </div>
  );
}
