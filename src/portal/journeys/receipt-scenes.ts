/** Table of scenes: receipts, reversals, receipts in doubt, and what was asked of printers. */

import { DOUBTFUL } from "./forged.ts";
import {
  ALERT,
  changed,
  hold,
  instead,
  json,
  offline,
  open,
  refusal,
  type Scene,
  SKELETON,
  type Stage,
} from "./staging.ts";

const ROW = "[data-windowed] a";

const receipts = open("/receipts", ROW);

/** The receipt that was made last. */
async function receipt(stage: Stage): Promise<void> {
  await receipts(stage);
  await stage.page.locator(ROW).first().click();
  await stage.page.locator("main dl").waitFor();
}

async function reversal(stage: Stage): Promise<void> {
  await receipt(stage);
  await stage.page.locator('main a[href$="/reversal"]').click();
  await stage.page.locator('main input[type="radio"]').first().waitFor();
}

/** Everything goes back, and the printer is about to be asked. */
async function chosen(stage: Stage): Promise<void> {
  await reversal(stage);
  const { page } = stage;
  await page.locator("main section button").first().click();
  await page.locator('main input[type="radio"]').nth(1).check();
  await page.locator("main button").last().click();
  await page.getByRole("dialog").waitFor();
}

const AT = "2026-01-15T10:00:00.000Z";
const PAYLOAD = {
  uniqueSaleNumber: "DT000600-0001-0000042",
  items: [
    { name: "Кафе Лаваца 250 г", quantity: 2, price: 12.45, vatGroup: "VAT2" },
    { name: "Прясно мляко 3 %", quantity: 1, price: 1.9, vatGroup: "VAT2" },
  ],
  payments: [{ method: "card", amount: 26.8 }],
};

/** A command of that id as it stands, whoever asks for it. */
const command = (more: object) =>
  json({
    command: {
      ...{ id: "cmd_x", deviceId: "dev_x", type: "print_receipt", payload: PAYLOAD, orgId: "o" },
      ...{ status: "failed", apiKeyId: "key_x", requestedBy: null, source: "api" },
      ...{ idempotencyKey: "till1-42", controllerId: "builtin", createdAt: AT, updatedAt: AT },
      ...{ sentAt: AT, processingAt: AT, finishedAt: AT, expiresAt: AT, result: UNKNOWN },
      currency: "EUR",
      ...more,
    },
  });
const UNKNOWN = {
  success: false,
  errorCode: "E102",
  errorMessage: "The device is at document 16; ours was number 15",
  data: {
    outcome: "unknown",
    doubt: { code: "other_number", params: { number: 16, own: 15 } },
  },
};
const NOBODY = { outcome: null, fiscalId: null, resolvedAt: null, resolvedBy: null };
const SAID = { outcome: "printed", fiscalId: "15", resolvedAt: AT, resolvedBy: "key:key_x" };

/** What each answer leads to: yes, no, how to find out. */
const ANSWERED = ["main form", "[role=dialog] button", "main ol"] as const;
/** The question, and which of its answers is given. */
const doubtful =
  (more: object, answer?: 0 | 1 | 2): Scene["play"] =>
  (stage) => {
    const asked = { resolution: NOBODY, deviceId: stage.printers.ready, ...more };
    return instead("/commands/cmd_x", command(asked), async () => {
      const sign = answer === undefined ? "main figure, main [data-mood]" : "pre";
      await open("/doubtful/cmd_x", sign)(stage);
      if (answer === undefined) return;
      await stage.page.locator("main button").nth(answer).click();
      await stage.page.locator(ANSWERED[answer]).first().waitFor();
    })(stage);
  };

/** Called not printed, and still open at its printer. */
const standsOpen = (answer?: 0 | 1 | 2): Scene["play"] => {
  const alert = { type: "outcome_unknown", commandId: "cmd_x", standsOpen: true };
  return instead("/devices/alerts", json({ alerts: { dev_x: [alert] } }), doubtful({}, answer));
};

const paperOut = {
  result: {
    ...{ success: false, errorCode: "E306", errorMessage: "The device has no paper" },
    data: { outcome: "not_printed" },
  },
};

export const RECEIPT_SCENES: readonly Scene[] = [
  { name: "receipts", play: receipts },
  {
    name: "receipts-empty",
    play: instead(
      "/receipts?**",
      json({ receipts: [], hasMore: false, lastId: "" }),
      open("/receipts", "main strong"),
    ),
  },
  {
    name: "receipts-none",
    play: open("/receipts?q=nothing&type=storno&period=2026-01-01..2026-01-31", "main strong"),
  },
  {
    name: "receipts-loading",
    play: instead("/receipts?**", hold, open("/receipts", SKELETON)),
  },
  {
    name: "receipts-failed",
    play: instead("/receipts?**", refusal(500, "INTERNAL_ERROR"), open("/receipts", ALERT)),
  },
  {
    name: "receipts-forbidden",
    play: instead("/receipts?**", refusal(403, "FORBIDDEN"), open("/receipts", ALERT)),
  },
  {
    name: "receipts-offline",
    play: offline(receipts),
  },
  {
    name: "receipts-doubtful",
    play: instead(
      "/today",
      changed((answer) => ({ ...answer, doubtful: [DOUBTFUL] })),
      open("/receipts?doubtful=1", 'main a[href^="/doubtful/"]'),
    ),
  },
  { name: "receipts-no-doubt", play: open("/receipts?doubtful=1", "main strong") },
  { name: "receipt", play: receipt },
  { name: "receipt-missing", play: open("/receipts/rct_none", ALERT) },
  { name: "receipt-reversal", isBulgarian: true, play: reversal },
  { name: "receipt-reversal-asked", isBulgarian: true, play: chosen },
  {
    name: "receipt-reversal-refused",
    isBulgarian: true,
    play: instead("/receipts/*/storno", refusal(422, "UNPROCESSABLE_ENTITY"), async (stage) => {
      await chosen(stage);
      await stage.page.getByRole("dialog").locator("button").last().click();
      await stage.page.locator(ALERT).waitFor();
    }),
  },
  {
    name: "receipt-reversal-unanswered",
    isBulgarian: true,
    play: instead(
      "/receipts/*/storno",
      (route) => route.abort(),
      instead("/commands?*sortOrder=asc*", hold, async (stage) => {
        await chosen(stage);
        const { page } = stage;
        await page.getByRole("dialog").locator("button").last().click();
        await page.getByRole("dialog").locator("button").nth(1).click();
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.locator("main [data-mood=warn]").first().waitFor();
      }),
    ),
  },
  { name: "receipt-doubtful", play: doubtful({}) },
  { name: "receipt-doubtful-yes", play: doubtful({}, 0) },
  { name: "receipt-doubtful-no", play: doubtful({}, 1) },
  { name: "receipt-doubtful-find-out", play: doubtful({}, 2) },
  { name: "receipt-doubtful-removed", play: doubtful({ deviceId: "dev_x" }) },
  { name: "receipt-doubtful-removed-find-out", play: doubtful({ deviceId: "dev_x" }, 2) },
  { name: "receipt-doubtful-settled", play: doubtful({ resolution: SAID }) },
  {
    name: "receipt-doubtful-correction",
    play: async (stage) => {
      await doubtful({ resolution: SAID })(stage);
      await stage.page.locator("main button").first().click();
      await stage.page.locator("main form").waitFor();
    },
  },
  { name: "receipt-doubtful-open", play: standsOpen() },
  { name: "receipt-doubtful-open-no", play: standsOpen(1) },
  {
    name: "receipt-doubtful-asking",
    play: doubtful({ status: "processing", result: null, resolution: undefined }),
  },
  { name: "receipt-doubtful-missing", play: open("/doubtful/cmd_none", ALERT) },
  { name: "commands", play: open("/commands", ROW) },
  { name: "commands-none", play: open("/commands?type=cash_out", "main strong") },
  {
    name: "commands-one-failed",
    play: instead("/commands/cmd_x", command(paperOut), open("/commands/cmd_x", "main ol")),
  },
  {
    name: "commands-one-doubtful",
    play: instead(
      "/commands/cmd_x",
      command({ resolution: NOBODY }),
      open("/commands/cmd_x", "main ol"),
    ),
  },
];
