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

/** Every full hour, or never; and what was chosen before. */
export function hoursOf(chosen: string, t: Translate): Choice[] {
  const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);
  const times = hours.includes(chosen) || chosen === "off" ? hours : [...hours, chosen].sort();
  return [
    ...times.map((time) => ({ value: time, label: time })),
    { value: "off", label: t("backup.never") },
  ];
}
