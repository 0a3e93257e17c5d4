/** Table of scenes of what can be asked of a printer by hand. */

import { ALERT, instead, json, offline, open, refusal, type Scene, type Stage } from "./staging.ts";

const toActions = (stage: Stage, printer: keyof Stage["printers"] = "ready") =>
  open(`/printers/${stage.printers[printer]}/actions`, "main textarea")(stage);

/** What is asked of the printer stands in boxes of their own, with its buttons and what came of it. */
const BOX = "main section:has(> fieldset)";

/** Presses a button of the box at this place; boxes stand in the order of the page. */
const press = ({ page }: Stage, box: number, button = 0) =>
  page.locator(BOX).nth(box).locator("fieldset button").nth(button).click();

/** Opens cash in and taps an amount. */
async function tapAmount(stage: Stage): Promise<void> {
  await toActions(stage);
  await press(stage, 2);
  const dialog = stage.page.getByRole("dialog");
  for (const digit of ["5", "0"]) {
    await dialog.getByRole("button", { name: digit, exact: true }).click();
  }
}

const CLOCKS = { dateTime: "2026-11-24T08:12:31Z", timestamp: "2026-11-24T08:20:02Z" };

export const ACTION_SCENES: readonly Scene[] = [
  { name: "actions", play: toActions },
  {
    name: "actions-duplicate",
    play: async (stage) => {
      await toActions(stage);
      await press(stage, 4);
      await stage.page.getByRole("dialog").waitFor();
    },
  },
  { name: "actions-not-reached", play: (stage) => toActions(stage, "gone") },
  {
    name: "actions-offline",
    play: async (stage) => {
      await offline(toActions)(stage);
      await stage.page.locator("main fieldset:disabled").first().waitFor();
    },
  },
  {
    name: "actions-z",
    play: async (stage) => {
      await toActions(stage);
      await press(stage, 1);
      await stage.page.getByRole("dialog").locator("dl").waitFor();
    },
  },
  {
    name: "actions-z-refused",
    play: instead("/commands", refusal(403, "FORBIDDEN"), async (stage) => {
      await toActions(stage);
      await press(stage, 1);
      const dialog = stage.page.getByRole("dialog");
      await dialog.locator("dl").waitFor();
      await dialog.locator("button").last().click();
      await dialog.locator(ALERT).waitFor();
    }),
  },
  { name: "actions-cash", play: tapAmount },
  {
    name: "actions-drawer-done",
    play: async (stage) => {
      await toActions(stage);
      await press(stage, 3);
      await stage.page.locator(`${BOX} [data-mood="good"]`).first().waitFor();
    },
  },
  {
    name: "actions-clock",
    play: instead("/devices/*/datetime", json({ deviceId: "", ...CLOCKS }), async (stage) => {
      await toActions(stage);
      await press(stage, 5);
      await stage.page.locator(`${BOX} dl`).waitFor();
    }),
  },
  {
    name: "actions-clock-silent",
    play: instead("/devices/*/datetime", refusal(503, "SERVICE_UNAVAILABLE"), async (stage) => {
      await toActions(stage);
      await press(stage, 5);
      await stage.page.locator(`${BOX} ${ALERT}`).waitFor();
    }),
  },
  {
    name: "actions-slip",
    play: async (stage) => {
      await toActions(stage);
      const lines = "Утре магазинът отваря в 10 часа, защото правим инвентаризация.\n\nБлагодарим!";
      await stage.page.locator("main textarea").first().fill(stage.local(lines));
    },
  },
];
