/** Table of scenes: every page in every state, for pictures and for axe. A new page adds its own. */

import type { Page } from "playwright-core";
import { ACTION_SCENES } from "./action-scenes.ts";
import { ALERT_SCENES } from "./alert-scenes.ts";
import { BOX_SCENES } from "./box-scenes.ts";
import { CONNECTION_SCENES } from "./connection-scenes.ts";
import { BROKEN_OFF, DETECTED, DOUBTFUL, EMPTY_TODAY } from "./forged.ts";
import { PRINTER_SCENES } from "./printer-scenes.ts";
import { RECEIPT_SCENES } from "./receipt-scenes.ts";
import { REPORT_SCENES } from "./report-scenes.ts";
import { SETTINGS_SCENES } from "./settings-scenes.ts";
import {
  ALERT,
  changed,
  holding,
  instead,
  json,
  offline,
  open,
  posted,
  refusal,
  type Scene,
  SKELETON,
  type Stage,
  waiting,
} from "./staging.ts";
import { STATE_SCENES } from "./state-scenes.ts";
import { WEBHOOK_SCENES } from "./webhook-scenes.ts";

const fill = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, value] of Object.entries(values)) {
    await page.locator(`input[autocomplete="${name}"]`).fill(value);
  }
};

const submit = (page: Page) => page.locator('main button[type="submit"]').first().click();

/** To the shop's name, by way of the steps before it. */
async function toShopStep(stage: Stage): Promise<void> {
  await open("/setup/owner", "form")(stage);
  await fill(stage.page, {
    name: "Ana",
    username: "owner@shop.example",
    "new-password": "a long enough password",
  });
  await submit(stage.page);
  await stage.page.locator("[role=radiogroup]").waitFor();
}

export const SCENES: readonly Scene[] = [
  { name: "setup-1-place", on: "new box", play: open("/setup", "form") },
  { name: "setup-2-owner", on: "new box", play: open("/setup/owner", "form") },
  { name: "setup-3-shop", on: "new box", play: toShopStep },
  {
    name: "setup-3-shop-refused",
    on: "new box",
    play: instead("/auth/register", refusal(403, "FORBIDDEN"), async (stage) => {
      await toShopStep(stage);
      await fill(stage.page, { organization: "Corner Shop" });
      await submit(stage.page);
      await stage.page.locator(ALERT).waitFor();
    }),
  },
  { name: "setup-4-printer", play: open("/setup/printer", "main input[required]") },
  {
    name: "setup-4-printer-found",
    play: instead(
      "/devices/detect",
      (route) => route.fulfill({ contentType: "application/x-ndjson", body: `${DETECTED}\n` }),
      open("/setup/printer", "li form"),
    ),
  },
  {
    name: "setup-4-printer-broken-off",
    play: instead(
      "/devices/detect",
      (route) => route.fulfill({ contentType: "application/x-ndjson", body: `${BROKEN_OFF}\n` }),
      open("/setup/printer", "li form"),
    ),
  },
  { name: "setup-5-test", play: open("/setup/test", "pre") },
  {
    name: "setup-5-test-asked",
    play: async (stage) => {
      await open("/setup/test", "pre")(stage);
      const select = stage.page.locator("main select");
      await select.selectOption(stage.printers.ready);
      await stage.page.locator("main button").last().click();
      await stage.page.locator('main [data-mood="good"] button').first().waitFor();
    },
  },
  { name: "setup-6-key", play: open("/setup/key", "form") },
  {
    name: "setup-6-key-made",
    play: instead(
      "/org/api-keys",
      posted({ key: "svc_live_2rc1561z8wsj_0123456789abcdef0123456789abcdef" }),
      async (stage) => {
        await open("/setup/key", "form")(stage);
        await submit(stage.page);
        await stage.page.locator("main section").first().waitFor();
      },
    ),
  },
  {
    name: "setup-7-skipped",
    play: instead("/org/api-keys", json([]), open("/setup/safety", '[data-state="skipped"]')),
  },
  { name: "login", isSignedOut: true, play: open("/login", "form") },
  { name: "login-ended", isSignedOut: true, play: open("/login?ended=1", "form") },
  {
    name: "login-wrong",
    isSignedOut: true,
    play: async (stage) => {
      await open("/login", "form")(stage);
      await fill(stage.page, { username: "owner@shop.example", "current-password": "wrong" });
      await submit(stage.page);
      await stage.page.locator(ALERT).waitFor();
    },
  },
  { name: "today", play: open("/", "main table") },
  {
    name: "today-empty",
    play: instead("/today", json(EMPTY_TODAY), open("/", "main strong")),
  },
  {
    name: "today-doubtful",
    play: instead(
      "/today",
      changed((answer) => ({ ...answer, doubtful: [DOUBTFUL] })),
      open("/", ALERT),
    ),
  },
  {
    name: "today-loading",
    play: holding("/today", open("/", SKELETON)),
  },
  {
    name: "today-failed",
    play: instead("/today", refusal(500, "INTERNAL_ERROR"), open("/", ALERT)),
  },
  { name: "today-forbidden", play: instead("/today", refusal(403, "FORBIDDEN"), open("/", ALERT)) },
  {
    name: "today-offline",
    play: offline(open("/", "main table")),
  },
  { name: "printers", play: open("/printers", "main li") },
  { name: "printers-empty", play: instead("/devices", json([]), open("/printers", "main strong")) },
  {
    name: "printer-ready",
    play: (stage) => open(`/printers/${stage.printers.ready}`, "pre")(stage),
  },
  {
    name: "printer-waiting",
    play: waiting((stage) => open(`/printers/${stage.printers.gone}`, "main li button")(stage)),
  },
  {
    name: "printer-cancel",
    play: waiting(async (stage) => {
      await open(`/printers/${stage.printers.gone}`, "main li button")(stage);
      await stage.page.locator("main li button").first().click();
      await stage.page.getByRole("dialog").waitFor();
    }),
  },
  {
    name: "printer-no-paper",
    play: (stage) => open(`/printers/${stage.printers.noPaper}`, ALERT)(stage),
  },
  { name: "printer-missing", play: open("/printers/dev_none", ALERT) },
  ...ACTION_SCENES,
  ...ALERT_SCENES,
  ...PRINTER_SCENES,
  ...RECEIPT_SCENES,
  ...REPORT_SCENES,
  ...CONNECTION_SCENES,
  ...WEBHOOK_SCENES,
  ...SETTINGS_SCENES,
  ...BOX_SCENES,
  ...STATE_SCENES,
  { name: "more", play: open("/more", "main fieldset") },
  { name: "unknown", play: open("/nowhere", "main strong") },
  {
    name: "search",
    play: async (stage) => {
      await open("/printers", "main li")(stage);
      await stage.page.keyboard.press("/");
      await stage.page.getByRole("listbox").waitFor();
      await stage.page.locator('[role="option"]').nth(2).waitFor();
    },
  },
];
