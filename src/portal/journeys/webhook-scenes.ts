/** Table of scenes of webhooks. */

import { ALERT, holding, instead, json, open, refusal, type Scene, SKELETON } from "./staging.ts";

const LIST = "/org/webhooks";
const SHOP = "/settings/webhooks/whk_shop";
const WEBHOOKS = "/settings/webhooks";
const SECRET = "whsec_a2V5Ky9rZXkrL2tleSsva2V5Ky9rZXkrL2tleSs=";

const TIMES = { createdAt: "2026-11-20T05:00:00.000Z", updatedAt: "2026-11-25T05:00:00.000Z" };
const SHOP_HOOK = {
  ...{ id: "whk_shop", orgId: "org", url: "https://shop.example/hooks/fiscald?till=1" },
  ...{ description: "Онлайн магазин", events: ["command.completed", "command.failed"] },
  ...{ enabled: true, failureCount: 0, lastDeliveryAt: TIMES.updatedAt },
  ...{ lastDeliveryStatus: "success", createdBy: "usr", ...TIMES },
};
const FAILING = {
  ...{ ...SHOP_HOOK, id: "whk_books", url: "https://books.example/in", description: null },
  ...{ failureCount: 2, lastDeliveryStatus: "failed" },
};
const GAVE_UP = {
  ...{ ...SHOP_HOOK, id: "whk_old", url: "https://old.example/in", description: "Счетоводство" },
  ...{ enabled: false, failureCount: 20, lastDeliveryStatus: "failed" },
};

const NO_FAILURE = { error: null, failure: null };
const FAILED = {
  ...{ httpStatus: 500, responseBody: '{"error":"database is locked"}' },
  ...{ error: "The endpoint answered 500", failure: "answered" },
};
const LATE = {
  httpStatus: null,
  responseBody: null,
  error: "No answer within 10 s",
  failure: "late",
};

/** One of a row of deliveries. */
function delivery(at: number, status: "success" | "failed" | "pending") {
  const isGood = status === "success";
  return {
    ...{ id: `dlv_${at}`, webhookId: "whk_shop", orgId: "org", eventType: "command.completed" },
    payload: {
      ...{ id: `evt_${at}`, type: "command.completed", createdAt: TIMES.updatedAt, orgId: "org" },
      data: { command: { id: `cmd_${at}`, status: "completed", result: { fiscalId: "0000123" } } },
    },
    ...{ status, attempt: isGood ? 1 : 3, httpStatus: isGood ? 204 : 500 },
    responseBody: isGood ? "" : '{"error":"database is locked"}',
    error: isGood ? null : "The endpoint answered 500",
    failure: isGood ? null : "answered",
    ...{ createdAt: TIMES.updatedAt, attemptedAt: TIMES.updatedAt },
    attempts: isGood
      ? [
          {
            ...{ number: 1, attemptedAt: TIMES.updatedAt, httpStatus: 204, responseBody: "" },
            ...NO_FAILURE,
          },
        ]
      : [LATE, FAILED, FAILED].map((one, before) => {
          return { ...one, number: before + 1, attemptedAt: TIMES.updatedAt };
        }),
    nextAttemptAt: status === "pending" ? "2099-11-25T05:30:00.000Z" : null,
  };
}
const DELIVERIES = Array.from({ length: 30 }, (_, at) => {
  if (at === 0) return delivery(at, "pending");
  return delivery(at, at === 1 || at % 9 === 0 ? "failed" : "success");
});

/** Answers what pages of webhooks ask. */
const among =
  (then: Scene["play"], one: object = SHOP_HOOK): Scene["play"] =>
  (stage) =>
    instead(
      LIST,
      json({ webhooks: [SHOP_HOOK, FAILING, GAVE_UP] }),
      instead(
        `${LIST}/*/deliveries*`,
        json({ deliveries: DELIVERIES }),
        instead(`${LIST}/whk_*`, json({ webhook: one }), then),
      ),
    )(stage);

export const WEBHOOK_SCENES: readonly Scene[] = [
  { name: "webhooks", play: among(open(WEBHOOKS, "main li svg rect")) },
  { name: "webhooks-empty", play: open(WEBHOOKS, "main strong") },
  {
    name: "webhooks-loading",
    play: holding(LIST, open(WEBHOOKS, SKELETON)),
  },
  {
    name: "webhooks-failed",
    play: instead(LIST, refusal(500, "INTERNAL_ERROR"), open(WEBHOOKS, ALERT)),
  },
  { name: "webhook-new", play: open(`${WEBHOOKS}/new`, "main form") },
  {
    name: "webhook-new-refused",
    play: async (stage) => {
      await open(`${WEBHOOKS}/new`, "main form")(stage);
      await stage.page.locator("main input[type=url]").fill("https://127.0.0.1/hook");
      await stage.page.locator("main button[type=submit]").click();
      await stage.page.locator(ALERT).waitFor();
    },
  },
  {
    name: "webhook-made",
    play: instead(LIST, json({ webhook: { ...SHOP_HOOK, secret: SECRET } }), async (stage) => {
      await open(`${WEBHOOKS}/new`, "main form")(stage);
      await stage.page.locator("main input[type=url]").fill(SHOP_HOOK.url);
      await stage.page.locator("main button[type=submit]").click();
      await stage.page.locator("main select").waitFor();
    }),
  },
  { name: "webhook", play: among(open(SHOP, "main details")) },
  {
    name: "webhook-delivery",
    play: among(async (stage) => {
      await open(SHOP, "main details")(stage);
      await stage.page.locator("summary").nth(1).click();
      await stage.page.locator("details[open] section").nth(1).waitFor();
    }),
  },
  { name: "webhook-gave-up", play: among(open("/settings/webhooks/whk_old", ALERT), GAVE_UP) },
  {
    name: "webhook-remove",
    play: among(async (stage) => {
      await open(SHOP, "main details")(stage);
      await stage.page.locator("main section button").last().click();
      await stage.page.getByRole("dialog").waitFor();
    }),
  },
  { name: "webhook-missing", play: open("/settings/webhooks/whk_none", ALERT) },
];
