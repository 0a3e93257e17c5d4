/** Every page of the settings, a line each, loaded when opened; pages/settings shows them. */

import { type ComponentType, lazy } from "react";
import type { IconName } from "./parts/icon.tsx";

/** One page below `/settings`. Its words are `settings.page.<name>` and `settings.page.<name>Text`. */
export interface SettingsPage {
  /** The end of its address: `/settings/<name>`. */
  readonly name: string;
  /** What may follow in the address, as wouter reads it: `/:webhookId?`. */
  readonly rest?: string;
  readonly icon: IconName;
  /** Who sees it: this role and those above. */
  readonly may: "operator" | "admin" | "owner";
  readonly page: ComponentType;
}

/** In the order of the list at the side; a group's word is `settings.group.<name>`. */
export const SETTINGS = [
  {
    name: "shop",
    pages: [
      {
        name: "shop",
        icon: "shop",
        may: "admin",
        page: lazy(() => import("./pages/settings/shop/page.tsx")),
      },
      {
        name: "places",
        rest: "/:placeId?",
        icon: "place",
        may: "admin",
        page: lazy(() => import("./pages/settings/places/page.tsx")),
      },
      {
        name: "people",
        rest: "/:personId?",
        icon: "people",
        may: "admin",
        page: lazy(() => import("./pages/settings/people/page.tsx")),
      },
      {
        name: "closing",
        icon: "clock",
        may: "admin",
        page: lazy(() => import("./pages/settings/closing/page.tsx")),
      },
      {
        name: "history",
        icon: "list",
        may: "admin",
        page: lazy(() => import("./pages/settings/history/page.tsx")),
      },
    ],
  },
  {
    name: "programs",
    pages: [
      {
        name: "keys",
        rest: "/:keyId?",
        icon: "key",
        may: "admin",
        page: lazy(() => import("./pages/settings/keys/page.tsx")),
      },
      {
        name: "controllers",
        icon: "plug",
        may: "admin",
        page: lazy(() => import("./pages/settings/controllers/page.tsx")),
      },
      {
        name: "webhooks",
        rest: "/:webhookId?",
        icon: "webhook",
        may: "admin",
        page: lazy(() => import("./pages/settings/webhooks/page.tsx")),
      },
    ],
  },
  {
    name: "box",
    pages: [
      {
        name: "network",
        icon: "network",
        may: "admin",
        page: lazy(() => import("./pages/settings/network/page.tsx")),
      },
      {
        name: "backup",
        icon: "backup",
        may: "admin",
        page: lazy(() => import("./pages/settings/backup/page.tsx")),
      },
      {
        name: "update",
        icon: "update",
        may: "admin",
        page: lazy(() => import("./pages/settings/update/page.tsx")),
      },
      {
        name: "about",
        icon: "about",
        may: "operator",
        page: lazy(() => import("./pages/settings/about/page.tsx")),
      },
    ],
  },
  {
    name: "you",
    pages: [
      {
        name: "account",
        icon: "person",
        may: "operator",
        page: lazy(() => import("./pages/settings/account/page.tsx")),
      },
    ],
  },
] as const satisfies readonly { readonly name: string; readonly pages: readonly SettingsPage[] }[];

/** Where a page of the settings is. */
export function settingsHref({ name }: Pick<SettingsPage, "name">): string {
  return `/settings/${name}`;
}
