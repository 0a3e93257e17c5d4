/** Table of scenes of the settings, and of the ways in that people are given there. */

import type { Page } from "playwright-core";
import {
  ALERT,
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
} from "./staging.ts";

const ADDED_AT = "2026-01-10T08:00:00.000Z";
const person = (id: string, name: string, more: object = {}) => {
  const email = `${id.slice(4)}@shop.example`;
  const role = "operator";
  return { id, email, name, role, active: true, createdAt: ADDED_AT, lastLoginAt: null, ...more };
};
const SEEN = { lastLoginAt: "2026-01-15T06:12:00.000Z" };
const PEOPLE = {
  members: [
    person("usr_ana", "Ана Петрова", { role: "owner", ...SEEN }),
    person("usr_bo", "Bogdan Ionescu", { role: "admin", ...SEEN }),
    person("usr_vera", "Вера"),
    person("usr_old", "Стоян", { active: false }),
  ],
};
const CODE = "Zx3Qp7vB1nM9kL5jH2gF8dS4aW6eR0tYuIoPcVbNm_A";

const key = (id: string, label: string, more: object = {}) => {
  return {
    ...{ id, label, prefix: "svc_live_2rc…", last4: "9c1f", active: true, createdAt: ADDED_AT },
    ...{
      scopes: ["commands", "devices:read", "receipts:read"],
      lastUsed: "2026-01-15T09:58:00.000Z",
    },
    ...{ expiresAt: null, rotatedFromId: null, rotatedToId: null, ...more },
  };
};
const KEYS = [
  key("key_1", "Каса 1"),
  key("key_2", "Casa 2", { active: false, lastUsed: null }),
  key("key_3", "Contabilitate", {
    ...{ lastUsed: "2026-01-13T14:21:00.000Z", expiresAt: "2026-01-13T22:00:00.000Z" },
    scopes: ["reports"],
  }),
  key("key_4", "Каса 1", { active: false, rotatedToId: "key_1" }),
];
const FREE = {
  plan: "free",
  limits: { devices: 2, apiKeys: 0 },
  usage: { devices: 1, apiKeys: 0 },
};
const KEY_TEXT = "svc_live_2rc1561z8wsj_0123456789abcdef0123456789abcdef";

const submit = (page: Page) => page.locator('main form button[type="submit"]').last().click();
const text = (page: Page, at: number, value: string) =>
  page.locator("main form input:not([type=radio])").nth(at).fill(value);
/** A button of the box at the end of the page. */
const ending = (page: Page, at: number) =>
  page.locator('main [data-danger="true"] button').nth(at).click();

/** The id of a place, which is made before its first picture is taken. */
async function placeOf(
  { shop }: Stage,
  place: { readonly name: string; readonly address?: string },
): Promise<string> {
  const { locations } = await shop.owner.expect<{ locations: { id: string; name: string }[] }>(
    "GET",
    "/org/locations",
  );
  const known = locations.find(({ name }) => name === place.name);
  if (known) return known.id;
  const made = await shop.owner.expect<{ location: { id: string } }>(
    "POST",
    "/org/locations",
    place,
  );
  return made.location.id;
}

/** A place with a printer. */
async function toPlace(stage: Stage): Promise<void> {
  const place = { name: "Главна улица", address: "Главна улица 1\n1000 София" };
  const locationId = await placeOf(stage, stage.local(place));
  await stage.shop.owner.expect("PATCH", `/devices/${stage.printers.ready}`, { locationId });
  await open(`/settings/places/${locationId}`, "main form")(stage);
}

/** One where none stands. */
async function toEmptyPlace(stage: Stage): Promise<void> {
  await open(
    `/settings/places/${await placeOf(stage, stage.local({ name: "Пазар" }))}`,
    "main form",
  )(stage);
}

const SHOP: readonly Scene[] = [
  { name: "settings", play: open("/settings", "main nav") },
  { name: "settings-shop", play: open("/settings/shop", "main dl") },
  {
    name: "settings-shop-saved",
    play: async (stage) => {
      const name = stage.local("Магазин Роза 2");
      const stored = await stage.shop.owner.expect<object>("GET", "/org");
      await open("/settings/shop", "main dl")(stage);
      // The other pictures are of the shop as it is.
      await instead("/org", json({ ...stored, name }), async ({ page }) => {
        await page.locator("main form input").first().fill(name);
        await page.locator('main form button[type="submit"]').first().click();
        await page.locator('main form [data-mood="good"]').first().waitFor();
      })(stage);
    },
  },
  {
    name: "settings-shop-refused",
    play: async (stage) => {
      await open("/settings/shop", "main dl")(stage);
      await instead("/org", refusal(400, "VALIDATION_ERROR"), async ({ page, local }) => {
        // What is not changed is not sent, and so not refused.
        await page.locator("main form input").first().fill(local("Магазин Роза 2"));
        await page.locator('main form button[type="submit"]').first().click();
        await page.locator(ALERT).waitFor();
      })(stage);
    },
  },
  {
    name: "settings-shop-loading",
    play: holding("/org", open("/settings/shop", SKELETON)),
  },
  {
    name: "settings-shop-failed",
    play: instead("/org", refusal(500, "INTERNAL_ERROR"), open("/settings/shop", ALERT)),
  },
  {
    name: "settings-shop-offline",
    play: offline(open("/settings/shop", "main dl")),
  },
  {
    name: "settings-places-empty",
    play: instead(
      "/org/locations",
      json({ locations: [] }),
      open("/settings/places", "main strong"),
    ),
  },
  { name: "settings-place-new", play: open("/settings/places/new", "main form") },
  { name: "settings-place", play: toPlace },
  {
    name: "settings-place-remove",
    play: async (stage) => {
      await toEmptyPlace(stage);
      await ending(stage.page, 0);
      await stage.page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "settings-places",
    play: async (stage) => {
      await toPlace(stage);
      await open("/settings/places", "main li strong")(stage);
    },
  },
];

const withPeople = (play: Scene["play"]) => instead("/org/members", json(PEOPLE), play);

const PERSONS: readonly Scene[] = [
  { name: "settings-people", play: withPeople(open("/settings/people", "main li strong")) },
  {
    name: "settings-people-forbidden",
    play: instead("/org/members", refusal(403, "FORBIDDEN"), open("/settings/people", ALERT)),
  },
  { name: "settings-person-new", play: open("/settings/people/new", "main form") },
  {
    name: "settings-person-added",
    play: instead(
      "/org/members",
      json({ member: person("usr_vera", "Вера"), setupToken: CODE }),
      async (stage) => {
        await open("/settings/people/new", "main form")(stage);
        await text(stage.page, 0, stage.local("Вера"));
        await text(stage.page, 1, "vera@shop.example");
        await submit(stage.page);
        await stage.page.locator("main section.box button").first().waitFor();
      },
    ),
  },
  {
    name: "settings-person-taken",
    play: instead("/org/members", refusal(409, "CONFLICT"), async (stage) => {
      await open("/settings/people/new", "main form")(stage);
      await text(stage.page, 0, stage.local("Вера"));
      await text(stage.page, 1, "vera@shop.example");
      await submit(stage.page);
      await stage.page.locator(ALERT).waitFor();
    }),
  },
  {
    name: "settings-person",
    play: withPeople(open("/settings/people/usr_bo", "main [data-danger=true]")),
  },
  {
    name: "settings-person-last-owner",
    play: withPeople(open("/settings/people/usr_ana", "main form")),
  },
  {
    name: "settings-person-off",
    play: withPeople(open("/settings/people/usr_old", "main [data-danger=true]")),
  },
  {
    name: "settings-person-deactivate",
    play: withPeople(async (stage) => {
      await open("/settings/people/usr_bo", "main [data-danger=true]")(stage);
      await ending(stage.page, 0);
      await stage.page.getByRole("dialog").waitFor();
    }),
  },
  {
    name: "settings-person-remove",
    play: withPeople(async (stage) => {
      await open("/settings/people/usr_bo", "main [data-danger=true]")(stage);
      await ending(stage.page, 1);
      await stage.page.getByRole("dialog").waitFor();
    }),
  },
  {
    name: "settings-person-code",
    play: withPeople(
      instead(
        "/org/members/*/code",
        json({ setupToken: CODE, expiresAt: "2026-01-15T11:00:00.000Z" }),
        async (stage) => {
          await open("/settings/people/usr_bo", "main [data-danger=true]")(stage);
          await stage.page.locator("main section.box").nth(1).locator("button").click();
          await stage.page.locator("main section.box").nth(1).locator("button").nth(1).waitFor();
        },
      ),
    ),
  },
];

const withKeys = (play: Scene["play"]) => instead("/org/api-keys", json(KEYS), play);

const KEY_SCENES: readonly Scene[] = [
  { name: "settings-keys", play: withKeys(open("/settings/keys", "main li strong")) },
  {
    name: "settings-keys-empty",
    play: instead("/org/api-keys", json([]), open("/settings/keys", "main strong")),
  },
  {
    name: "settings-key-new",
    play: async (stage) => {
      await open("/settings/keys/new", "main form")(stage);
      await stage.page.locator("main form input[type=radio]").last().check();
    },
  },
  {
    name: "settings-key-plan",
    play: instead(
      "/billing",
      json(FREE),
      instead("/org/api-keys", refusal(403, "TIER_LIMIT_EXCEEDED"), async (stage) => {
        await open("/settings/keys/new", "main form")(stage);
        await text(stage.page, 0, stage.local("Каса 3"));
        await submit(stage.page);
        await stage.page.locator('main form [data-mood="warn"]').first().waitFor();
      }),
    ),
  },
  {
    name: "settings-key-made",
    play: instead("/org/api-keys", posted({ ...KEYS[0], key: KEY_TEXT }), async (stage) => {
      await open("/settings/keys/new", "main form")(stage);
      await text(stage.page, 0, stage.local("Каса 3"));
      await submit(stage.page);
      await stage.page.locator("main section[aria-label=curl]").first().waitFor();
    }),
  },
  ...(["key_1", "key_2", "key_3", "key_4"] as const).map((id) => ({
    name: `settings-key-${id.slice(4)}`,
    play: withKeys(open(`/settings/keys/${id}`, "main [data-danger=true]")),
  })),
  ...(["pause", "rotate", "revoke"] as const).map((deed, at) => ({
    name: `settings-key-${deed}`,
    play: withKeys(async (stage) => {
      await open("/settings/keys/key_1", "main [data-danger=true]")(stage);
      await ending(stage.page, at);
      await stage.page.getByRole("dialog").waitFor();
    }),
  })),
  {
    name: "settings-key-missing",
    play: open("/settings/keys/key_none", "main .quiet"),
  },
];

const OTHERS: readonly Scene[] = [
  { name: "settings-account", play: open("/settings/account", "main fieldset") },
  {
    name: "settings-account-wrong-password",
    play: async (stage) => {
      await open("/settings/account", "main fieldset")(stage);
      const passwords = stage.page.locator("main input[autocomplete$=password]");
      await passwords.nth(0).fill("not the one");
      await passwords.nth(1).fill("a new password");
      await stage.page.locator('main form button[type="submit"]').nth(1).click();
      await stage.page.locator(ALERT).waitFor();
    },
  },
  {
    name: "settings-account-everywhere",
    play: async (stage) => {
      await open("/settings/account", "main fieldset")(stage);
      await stage.page.locator("main section.box").last().locator("button").last().click();
      await stage.page.getByRole("dialog").waitFor();
    },
  },
  { name: "settings-about", play: open("/settings/about", "main dl") },
  {
    name: "login-inactive",
    isSignedOut: true,
    play: open("/login?ended=inactive", "form"),
  },
  { name: "login-password-set", isSignedOut: true, play: open("/login?set=1", "form") },
  { name: "forgotten", isSignedOut: true, play: open("/forgotten", "form") },
  {
    name: "forgotten-box",
    isSignedOut: true,
    play: async (stage) => {
      await open("/forgotten?email=ana@shop.example", "form")(stage);
      await submit(stage.page);
      await stage.page.locator("main ul").waitFor();
    },
  },
  {
    name: "forgotten-mail",
    isSignedOut: true,
    play: instead("/auth/forgot-password", json({ delivery: "mail" }), async (stage) => {
      await open("/forgotten?email=ana@shop.example", "form")(stage);
      await submit(stage.page);
      await stage.page.locator('main [data-mood="good"]').first().waitFor();
    }),
  },
  {
    name: "reset-link",
    isSignedOut: true,
    play: async (stage) => {
      await stage.page.goto("about:blank");
      await open(`/reset#code=${CODE}&email=vera%40shop.example`, "form")(stage);
    },
  },
  {
    name: "reset-typed-wrong",
    isSignedOut: true,
    play: async (stage) => {
      await open("/reset", "form")(stage);
      await text(stage.page, 0, "no such code");
      await text(stage.page, 1, "a new password");
      await submit(stage.page);
      await stage.page.locator(ALERT).waitFor();
    },
  },
];

export const SETTINGS_SCENES: readonly Scene[] = [...SHOP, ...PERSONS, ...KEY_SCENES, ...OTHERS];
