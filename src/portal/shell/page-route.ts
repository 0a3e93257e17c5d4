/** What the navigation knows of a page. */

import type { ComponentType } from "react";
import type { IconName } from "../parts/icon.tsx";
import type { Word } from "../words/words.tsx";

/** An address and what it shows. */
export interface PageRoute {
  /** As wouter reads it: `/printers/:id`, `/settings/*?`. */
  readonly path: string;
  readonly page: ComponentType;
  /** Its place in the navigation, in the order of the table; none when absent. */
  readonly place?: { readonly word: Word; readonly icon: IconName };
}

/** A page with a place in the navigation. */
export interface NavigationPlace {
  readonly path: string;
  readonly word: Word;
  readonly icon: IconName;
}

/** The pages that the navigation shows, in its order. */
export function placesOf(pages: readonly PageRoute[]): NavigationPlace[] {
  return pages.flatMap(({ path, place }) => (place ? [{ path, ...place }] : []));
}
