/** Whether the box answers, for the dot on top and for pages that show what they knew last. */

import { isOfBox } from "./box-answer.ts";

/** How far the box can be heard. */
export type Reach =
  | { readonly kind: "live" }
  /** Events do not come; ages count from `since`, UTC milliseconds. */
  | { readonly kind: "reconnecting"; readonly since: number }
  | { readonly kind: "silent"; readonly since: number };

/** While the stream is open nothing else asks for so long. */
const QUIET_MS = 4_000;
const PROBE_EVERY_MS = 2_000;
const PROBE_LIMIT_MS = 2_000;
/** As long without a sign of life, and it is no hiccup. */
const SILENT_MS = 15_000;
/** From then on nobody says any more that a printer is ready. */
const UNSURE_MS = 6_000;

let aliveAt = Date.now();
let isStreamOpen = false;
let isProbeFailed = false;
let reach: Reach = { kind: "reconnecting", since: aliveAt };
const watchers = new Set<() => void>();
const hearers = new Set<() => void>();
const failed = new Set<() => void>();

/** As it is now; the same object until it changes. */
export function currentReach(): Reach {
  return reach;
}

/**
 * For how long nothing has been heard, where that is too long to tell how printers are.
 * @returns milliseconds; undefined while it can be told
 */
export function silenceOf(given: Reach, now: number): number | undefined {
  if (given.kind === "live") return undefined;
  const silence = now - given.since;
  return silence < UNSURE_MS ? undefined : silence;
}

/** Calls back after each change. @returns what ends that */
export function watchReach(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

/** Calls back with each sign of life. @returns what ends that */
export function watchLife(heard: () => void): () => void {
  hearers.add(heard);
  return () => hearers.delete(heard);
}

/** Calls back when the box has not answered the question whether it is there. @returns what ends that */
export function watchFailures(silent: () => void): () => void {
  failed.add(silent);
  return () => failed.delete(silent);
}

/** The box said something. */
export function noteSignOfLife(): void {
  aliveAt = Date.now();
  isProbeFailed = false;
  judge();
  for (const heard of [...hearers]) heard();
}

/** The stream of events was opened or ended. */
export function noteStream(isOpen: boolean): void {
  isStreamOpen = isOpen;
  if (isOpen) aliveAt = Date.now();
  judge();
}

/**
 * Looks after the box while the page is visible: a cable that is pulled ends no connection, so who
 * wants to know has to ask. @returns what ends that
 */
export function watchBox(): () => void {
  const look = () => {
    judge();
    const isQuiet = Date.now() - aliveAt > (isStreamOpen && !isProbeFailed ? QUIET_MS : 0);
    if (document.visibilityState === "visible" && isQuiet) void probe();
  };
  const timer = setInterval(look, PROBE_EVERY_MS);
  const events = ["online", "offline"] as const;
  for (const event of events) window.addEventListener(event, look);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    for (const event of events) window.removeEventListener(event, look);
    document.removeEventListener("visibilitychange", look);
  };
}

async function probe(): Promise<void> {
  try {
    const signal = AbortSignal.timeout(PROBE_LIMIT_MS);
    if (isOfBox(await fetch("/livez", { signal, cache: "no-store" }))) {
      noteSignOfLife();
      return;
    }
  } catch {
    // Nobody has answered.
  }
  isProbeFailed = true;
  judge();
  for (const silent of [...failed]) silent();
}

function judge(): void {
  const next = judged();
  const isSame = next.kind === reach.kind && sinceOf(next) === sinceOf(reach);
  if (isSame) return;
  reach = next;
  for (const changed of [...watchers]) changed();
}

function judged(): Reach {
  if (isStreamOpen && !isProbeFailed) return { kind: "live" };
  const kind = Date.now() - aliveAt > SILENT_MS ? "silent" : "reconnecting";
  return { kind, since: aliveAt };
}

function sinceOf(given: Reach): number {
  return given.kind === "live" ? 0 : given.since;
}
