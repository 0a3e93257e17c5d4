/**
 * Who is signed in. The refresh token is a cookie that no script sees; the access token lives here,
 * in memory, and is given to the other tabs, so that one of them at a time asks for a new one.
 */

import { answer, type components, createClient, GatewayError } from "../../client/index.ts";
import { keep, kept } from "../parts/kept.ts";
import { fetchBox } from "./box-answer.ts";

type User = components["schemas"]["User"];
type Organization = components["schemas"]["Organization"];

/** What the page knows of the person before it. */
export type Session =
  /** Not asked yet, or asked without an answer. */
  | { readonly kind: "unknown" }
  /** With what ended the session that there was. */
  | { readonly kind: "out"; readonly ended?: SessionEnd }
  | { readonly kind: "in"; readonly user: User; readonly organization: Organization };

/** What ends a session: another tab of this browser, or what the gateway says of it. */
export const SESSION_ENDS = ["here", "ended", "expired", "inactive", "unknown"] as const;
export type SessionEnd = (typeof SESSION_ENDS)[number];

/** An access token with whose it is. */
interface Grant {
  readonly token: string;
  /** By this browser's clock, UTC milliseconds. */
  readonly expiresAt: number;
  readonly user: User;
  readonly organization: Organization;
}

/** What tabs tell each other. */
type Message =
  | { readonly kind: "who has a token" }
  | { readonly kind: "token"; readonly grant: Grant }
  | { readonly kind: "ended"; readonly ended: SessionEnd };

/** The credential of these requests is the cookie. */
const HEADERS = { "X-Session": "cookie" } as const;
/** A token that ends sooner is not worth sending. */
const LEFT_MS_MIN = 30_000;
/** Within this another tab has answered, if there is one. */
const TABS_ANSWER_MS = 60;
/** In this browser: a sign-out that the box has not heard of, from here or from everywhere. */
const UNHEARD = "sign-out";
const EVERYWHERE = "everywhere";

/** A box that takes longer does not answer: it is asked again, which the cookie bears. */
const ANSWER_MS = 20_000;

const { api } = createClient({
  url: "",
  fetch: (request) => fetchBox(request, { signal: AbortSignal.timeout(ANSWER_MS) }),
});
const tabs = new BroadcastChannel("fiscald-session");

let session: Session = { kind: "unknown" };
let grant: Grant | undefined;
let refreshing: Promise<Grant | undefined> | undefined;
let hearing: Promise<boolean> | undefined;
/** How often a session has ended here: what was asked before that comes to nothing. */
let ends = 0;
let lastUserId: string | undefined;
let forget: () => void = () => undefined;
const watchers = new Set<() => void>();

tabs.addEventListener("message", ({ data }: MessageEvent<Message>) => {
  if (data.kind === "token") take(data.grant);
  if (data.kind === "ended") leave(data.ended);
  if (data.kind === "who has a token" && isGood(grant)) tell({ kind: "token", grant });
});

/** As it is now; the same object until it changes. */
export function currentSession(): Session {
  return session;
}

/** The id of whoever is signed in; undefined while nobody is. */
export function currentUser(): string | undefined {
  return session.kind === "in" ? session.user.id : undefined;
}

/** Calls back when somebody else is signed in than the last one, whose data are not theirs. */
export function forSomebodyElse(forgetAll: () => void): void {
  forget = forgetAll;
}

/** Calls back after each change. @returns what ends that */
export function watchSession(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

/**
 * The token to send, a new one where there is none or it is about to end.
 * @param refused one that the gateway did not take
 * @throws GatewayError UNAUTHORIZED without a session, or when nobody answers
 */
export async function accessToken(refused?: string): Promise<string> {
  if (isGood(grant) && grant.token !== refused) return grant.token;
  refreshing ??= oneTabAtATime(() => renew(refused)).finally(() => {
    refreshing = undefined;
  });
  const renewed = await refreshing;
  if (renewed !== undefined) return renewed.token;
  throw new GatewayError({ code: "UNAUTHORIZED", message: "There is no session" });
}

/** @throws GatewayError UNAUTHORIZED when address or password are wrong */
export async function logIn(email: string, password: string): Promise<void> {
  await requireSignOutHeard();
  begin(
    await answer(api.POST("/api/v1/auth/login", { body: { email, password }, headers: HEADERS })),
  );
}

/** What the first person in front of a new box says. */
export type Registration = {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly organizationName: string;
  readonly currency: string;
  readonly timezone: string;
  readonly setupCode?: string;
};

/** Makes the owner and the shop. @throws GatewayError FORBIDDEN once there is one, or by the code */
export async function register(body: Registration): Promise<void> {
  await requireSignOutHeard();
  begin(await answer(api.POST("/api/v1/auth/register", { body, headers: HEADERS })));
}

/**
 * Ends the session in all tabs. Until the box has heard of it, this browser lets nobody in by the cookie.
 * @param everywhere also where else the user is signed in
 */
export function logOut(everywhere = false): void {
  keep(UNHEARD, everywhere ? EVERYWHERE : "here");
  tell({ kind: "ended", ended: "here" });
  leave(undefined);
  // Who waits for it asks by `haveSignOutHeard`.
  haveSignOutHeard().catch(() => undefined);
}

/** Tells the box of a sign-out that it has not heard of. @throws GatewayError when nobody answers */
export function haveSignOutHeard(): Promise<boolean> {
  hearing ??= oneTabAtATime(endUnheard).finally(() => {
    hearing = undefined;
  });
  return hearing;
}

/**
 * The same for somebody who waits for it: the box may be there again since what is under way was sent in vain.
 * @throws GatewayError when nobody answers
 */
async function requireSignOutHeard(): Promise<void> {
  await hearing?.catch(() => undefined);
  await haveSignOutHeard();
}

/** @returns false where there was none to tell of */
async function endUnheard(): Promise<boolean> {
  const unheard = kept(UNHEARD);
  if (unheard === undefined) return false;
  const body = unheard === EVERYWHERE ? { everywhere: true } : {};
  try {
    await answer(api.POST("/api/v1/auth/logout", { body, headers: HEADERS }));
  } catch (error) {
    // What the box refuses is no session of its.
    if (!(error instanceof GatewayError) || error.isTemporary) throw error;
  }
  keep(UNHEARD, undefined);
  return true;
}

/** The organization was changed here: its name stands on top of every page. */
export function organizationChanged(organization: Organization): void {
  if (grant === undefined) return;
  begin({ ...grant, organization });
}

/** Whoever is signed in has another name. */
export function userChanged(user: User): void {
  if (grant === undefined) return;
  begin({ ...grant, user });
}

/** Another tab may have refreshed while this one waited for its turn. */
async function renew(refused: string | undefined): Promise<Grant | undefined> {
  if (await endUnheard()) {
    leave(undefined);
    return undefined;
  }
  if (isGood(grant) && grant.token !== refused) return grant;
  if (refused === undefined) {
    const given = await fromOtherTabs();
    if (given !== undefined) return given;
  }
  const before = ends;
  try {
    const given = await answer(api.POST("/api/v1/auth/refresh", { body: {}, headers: HEADERS }));
    return before === ends ? begin(given) : undefined;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.isTemporary) throw error;
    leave(endIn(error.details) ?? (session.kind === "in" ? "unknown" : undefined));
    return undefined;
  }
}

/** Asks the other tabs. @returns undefined when none has a token */
function fromOtherTabs(): Promise<Grant | undefined> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop();
      resolve(isGood(grant) ? grant : undefined);
    };
    const timer = setTimeout(end, TABS_ANSWER_MS);
    const stop = watchSession(end);
    tell({ kind: "who has a token" });
  });
}

/**
 * Over plain HTTP, away from the box itself, browsers have no locks: the gateway bears two tabs that
 * refresh at the same moment.
 */
function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = navigator.locks;
  return locks === undefined ? work() : locks.request("fiscald-refresh", work);
}

/** What login, refresh and registration are answered with. */
interface Answer {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly user: User;
  readonly organization: Organization;
}

function begin(given: Answer | Grant): Grant {
  const made: Grant =
    "token" in given
      ? given
      : {
          token: given.accessToken,
          expiresAt: Date.now() + given.expiresIn * 1_000,
          user: given.user,
          organization: given.organization,
        };
  take(made);
  tell({ kind: "token", grant: made });
  return made;
}

function take(given: Grant): void {
  const isSomebodyElse = lastUserId !== undefined && lastUserId !== given.user.id;
  lastUserId = given.user.id;
  grant = given;
  session = { kind: "in", user: given.user, organization: given.organization };
  // What is read anew for it is read as whoever is signed in by now.
  if (isSomebodyElse) forget();
  for (const changed of [...watchers]) changed();
}

function leave(ended: SessionEnd | undefined): void {
  const isNews = session.kind !== "out";
  grant = undefined;
  ends += 1;
  if (!isNews) return;
  if (ended !== undefined) tell({ kind: "ended", ended });
  session = ended === undefined ? { kind: "out" } : { kind: "out", ended };
  for (const changed of [...watchers]) changed();
}

/** What the gateway says of a session that is over. */
function endIn(details: unknown): SessionEnd | undefined {
  if (typeof details !== "object" || details === null || !("reason" in details)) return undefined;
  return SESSION_ENDS.find((one) => one === details.reason);
}

function isGood(given: Grant | undefined): given is Grant {
  return given !== undefined && given.expiresAt - Date.now() > LEFT_MS_MIN;
}

function tell(message: Message): void {
  tabs.postMessage(message);
}
