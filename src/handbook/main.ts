/** What a page of the handbook does beyond being read. */

import { startSchemeButton } from "./scheme-button.ts";
import { startSearch } from "./search.ts";

/** From this width on, the list of pages stands beside the text. */
const WIDE = matchMedia("(min-width: 900px)");

function showPages(): void {
  const pages = document.querySelector<HTMLDetailsElement>("#pages");
  if (pages === null) return;
  pages.open = WIDE.matches;
  // Until here a narrow screen hides the list, which is open for those without scripts.
  pages.dataset.ready = "";
}

showPages();
WIDE.addEventListener("change", showPages);
document.querySelector("#pages [aria-current]")?.scrollIntoView({ block: "center" });
scrollTo({ top: 0 });
startSchemeButton();
startSearch();
