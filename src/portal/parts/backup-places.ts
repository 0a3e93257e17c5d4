/** Where backups may go and when, to choose from. */

import type { Body } from "../api/queries.ts";
import type { useWords } from "../words/words.tsx";

type Translate = ReturnType<typeof useWords>["t"];

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The box itself, the sticks that are plugged in, and what was chosen before. */
export function placesOf(
  { settings: { to }, sticks }: Pick<Body<"/api/v1/backups">, "settings" | "sticks">,
  t: Translate,
): Choice[] {
  const plugged = sticks.map(({ name }) => ({
    value: `usb:${name}`,
    label: t("backup.placeStick", { name }),
  }));
  const choices = [
    { value: "", label: t("backup.placeBox") },
    { value: "usb", label: t("backup.placeAnyStick") },
    ...plugged,
  ];
  if (choices.some(({ value }) => value === to)) return choices;
  const name = to.startsWith("usb:") ? to.slice("usb:".length) : undefined;
  const label = name === undefined ? to : t("backup.placeStickAway", { name });
  return [...choices, { value: to, label }];
}

const DAY_MINUTES = 24 * 60;

/**
 * Every full hour of the shop's day, or never; and what was chosen before. Values are by the clock of
 * the box, whose zone may be another one.
 * @param ahead minutes by which the shop's clock is ahead of it
 */
export function hoursOf(chosen: string, t: Translate, ahead: number): Choice[] {
  const hours = Array.from({ length: 24 }, (_, hour) => moved(`${hour}:00`, -ahead));
  const values = hours.includes(chosen) || chosen === "off" ? hours : [...hours, chosen];
  return [
    ...values
      .map((value) => ({ value, label: moved(value, ahead) }))
      .toSorted((a, b) => a.label.localeCompare(b.label)),
    { value: "off", label: t("backup.never") },
  ];
}

/** A time of day so many minutes later. */
function moved(time: string, minutes: number): string {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const at = (hour * 60 + minute + minutes + DAY_MINUTES) % DAY_MINUTES;
  return [Math.floor(at / 60), at % 60].map((part) => String(part).padStart(2, "0")).join(":");
}
