/** The search: the index comes with the first key, and answers without a network from then on. */

import MiniSearch, { type SearchResult } from "minisearch";
import { type Place, SEARCH } from "./search-options.ts";

const SHOWN_MAX = 12;

interface Parts {
  readonly input: HTMLInputElement;
  readonly list: HTMLElement;
}

let index: Promise<MiniSearch<Place>> | undefined;
const { base = "" } = document.documentElement.dataset;

async function loadIndex(): Promise<MiniSearch<Place>> {
  const answer = await fetch(`${base}search.json`);
  if (!answer.ok) throw new Error(`the index: ${answer.status}`);
  return MiniSearch.loadJSON<Place>(await answer.text(), SEARCH);
}

/** Asked for once; again where that failed. */
async function indexed(): Promise<MiniSearch<Place>> {
  try {
    index ??= loadIndex();
    return await index;
  } catch (error) {
    index = undefined;
    throw error;
  }
}

/** Shows the field; without scripts there is none. */
export function startSearch(): void {
  const input = document.querySelector<HTMLInputElement>("#search");
  const list = document.querySelector<HTMLElement>("#found");
  const home = input?.closest<HTMLElement>(".search");
  if (input === null || list === null || !home) return;
  const parts: Parts = { input, list };
  home.hidden = false;
  input.addEventListener("focus", () => void indexed().catch(() => undefined));
  input.addEventListener("input", () => void answer(parts));
  input.addEventListener("keydown", (event) => onKey(parts, event));
  document.addEventListener("keydown", (event) => {
    if (isCall(event)) {
      event.preventDefault();
      input.select();
    }
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (target instanceof Node && !home.contains(target)) close(parts);
  });
}

/** A slash outside of a field, or Ctrl and K. */
function isCall({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  if ((ctrlKey || metaKey) && key === "k") return true;
  return key === "/" && !(target instanceof HTMLInputElement);
}

function onKey(parts: Parts, event: KeyboardEvent): void {
  const { input, list } = parts;
  const shown = [...list.querySelectorAll<HTMLAnchorElement>("[role=option]")];
  const at = shown.findIndex((one) => one.ariaSelected === "true");
  if (event.key === "Escape") close(parts);
  else if (event.key === "Enter") shown[Math.max(at, 0)]?.click();
  else if (event.key === "ArrowDown") select(input, shown, (at + 1) % shown.length);
  else if (event.key === "ArrowUp") {
    select(input, shown, (Math.max(at, 0) - 1 + shown.length) % shown.length);
  } else return;
  event.preventDefault();
}

function select(input: HTMLInputElement, shown: readonly HTMLElement[], chosen: number): void {
  for (const [at, one] of shown.entries()) one.ariaSelected = String(at === chosen);
  const found = shown[chosen];
  found?.scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", found?.id ?? "");
}

function close({ input, list }: Parts): void {
  list.hidden = true;
  input.ariaExpanded = "false";
  input.removeAttribute("aria-activedescendant");
}

async function answer(parts: Parts): Promise<void> {
  const { input, list } = parts;
  const asked = input.value.trim();
  if (asked === "") return close(parts);
  try {
    const found = (await indexed()).search(asked).slice(0, SHOWN_MAX);
    // Something else has been typed meanwhile.
    if (asked !== input.value.trim()) return;
    list.replaceChildren(...found.map(option));
    if (found.length === 0) list.append(note(`Nothing about “${asked}”.`));
    else select(input, [...list.querySelectorAll<HTMLElement>("[role=option]")], 0);
  } catch {
    list.replaceChildren(note("The search could not be loaded. Type again to try once more."));
  }
  list.hidden = false;
  input.ariaExpanded = "true";
}

function option({ id, title, page, excerpt }: SearchResult, at: number): HTMLElement {
  const link = document.createElement("a");
  Object.assign(link, { id: `found-${at}`, href: `${base}${id}`, role: "option", tabIndex: -1 });
  link.ariaSelected = "false";
  link.className = "place";
  link.append(
    line("place-title", title),
    line("place-page", title === page ? "" : page),
    line("place-text", excerpt),
  );
  link.addEventListener("click", () => {
    const list = link.parentElement;
    if (list !== null) list.hidden = true;
  });
  return link;
}

function note(text: string): HTMLElement {
  return line("found-note", text);
}

function line(className: string, text: unknown): HTMLElement {
  const element = document.createElement("span");
  Object.assign(element, { className, textContent: String(text) });
  return element;
}
