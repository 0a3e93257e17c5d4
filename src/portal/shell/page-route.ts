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
  return pages.flatMap(({ path, place }) => (place ? [{ path: beginningOf(path), ...place }] : []));
}

/** The address without what may follow it. */
function beginningOf(path: string): string {
  return path.replace(/\/[:*].*$/, "");
}

/** How many of the places the bar of a phone has: as many as a thumb can tell apart. */
const BAR_MAX = 4;

/** The places of the bar on a phone, and those that its last one leads to. */
export function barOf(pages: readonly PageRoute[]) {
  const places = placesOf(pages);
  return { shown: places.slice(0, BAR_MAX), more: places.slice(BAR_MAX) };
}
