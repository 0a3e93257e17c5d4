/** The steps of setting up, and what is said in the first three before there is anybody to say it to. */

import { keep, kept } from "../../parts/kept.ts";
import type { Plan } from "../../parts/plan-choice.tsx";

/** In their order; each is the end of its address. */
export const STEPS = ["place", "owner", "shop", "printer", "test", "key", "safety"] as const;

export type StepName = (typeof STEPS)[number];

export function isStepName(name: string): name is StepName {
  return STEPS.some((step) => step === name);
}

/** What the browser keeps with the address of the owner's step: the box did not take the code. */
export const CODE_WRONG = "isCodeWrong";

/** What a step is given. */
export interface StepProps {
  /** Whoever registers from here has to know the code of the box. */
  readonly needsSetupCode: boolean;
  /** To the step behind it. */
  readonly next: () => void;
}

/** What was said so far. */
export interface Draft {
  readonly timezone: string;
  readonly name: string;
  readonly email: string;
  readonly setupCode: string;
  readonly shop: string;
  /** Empty until it is chosen: then it follows from the time zone. */
  readonly currency: string;
  readonly plan: Plan;
}

const KEPT_AS = "fiscald.setup";
const EMPTY: Draft = {
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  name: "",
  email: "",
  setupCode: "",
  shop: "",
  currency: "",
  plan: "pro",
};

/** Kept in this page only: a password is written nowhere. */
let password = "";

/**
 * Takes the code out of the address that the installer has printed. Behind its `#`, as what follows
 * that is sent nowhere; and from then on it stands in no address.
 */
export function takeCode(): void {
  const code =
    new URLSearchParams(location.hash.slice(1)).get("code") ??
    new URLSearchParams(location.search).get("code");
  if (code === null) return;
  changeDraft({ setupCode: code });
  history.replaceState(history.state, "", location.pathname);
}

/** What was said before, also before the browser was closed. */
export function readDraft(): Draft & { readonly password: string } {
  const stored = kept(KEPT_AS);
  const said: Partial<Draft> = stored === undefined ? {} : JSON.parse(stored);
  return { ...EMPTY, ...said, password };
}

/** Adds to what was said. */
export function changeDraft(change: Partial<Draft & { readonly password: string }>): void {
  const { password: before, ...draft } = readDraft();
  const { password: given = before, ...said } = change;
  password = given;
  keep(KEPT_AS, JSON.stringify({ ...draft, ...said }));
}

/** Once the gateway has it, the browser need not. */
export function forgetDraft(): void {
  password = "";
  keep(KEPT_AS, undefined);
}
