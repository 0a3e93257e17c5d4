/** A browser for the journeys: Debian's Chromium, driven without a window. */

import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { NOT_TRIED, programEnvironment } from "../../e2e/harness/other-runtime.ts";
import { findBrowser } from "./browser-place.ts";
import { watchCalm } from "./calm.ts";
import { interceptAtOnce } from "./interception.ts";

/** The path of the browser, for `describe.each`: where there is none, it says what is not tried. */
export function browsers(): string[] {
  const found = findBrowser();
  if (found !== undefined) return [found];
  const what = "the portal in a browser, because this machine has no chromium";
  process.stderr.write(`${NOT_TRIED}${what}\n`);
  return [];
}

/**
 * A page that has not come to something within this will not: what it waits for answers at once, on a
 * machine that may give it a twentieth of its processor.
 */
const PATIENCE_MS = 60_000;

interface BrowserOptions {
  /** Of the user whose authorities it trusts; whoever runs it unless given. */
  readonly home?: string;
  /** Whether it is as quick as a person's; otherwise it takes less of the processor in a short life. */
  readonly isMeasured?: boolean;
}

/**
 * A page of a test is over before what runs often in it has paid for its higher compilers, and is too
 * small to be drawn by several threads and a process.
 */
const SHORT_LIVED = [
  "--js-flags=--no-opt --no-maglev",
  "--num-raster-threads=1",
  "--in-process-gpu",
];

/** Starts it. */
export function startBrowser(
  executablePath: string,
  { home, isMeasured = false }: BrowserOptions = {},
): Promise<Browser> {
  // Root has no sandbox in a container; the pages are our own.
  const rights = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const names = `--host-resolver-rules=MAP ${MACHINE} 127.0.0.1`;
  const args = [...rights, names, ...(isMeasured ? [] : SHORT_LIVED)];
  const env = home === undefined ? {} : { env: { ...programEnvironment(), HOME: home } };
  return chromium.launch({ executablePath, args, ...env });
}

/** The machine's name in its network. */
const MACHINE = `${hostname().toLowerCase()}.local`;

/**
 * The address of a gateway as another computer of the shop has it: plain HTTP by the machine's name,
 * to which browsers give less than to their own machine.
 */
export function fromTheNetwork(url: string): string {
  return `http://${MACHINE}:${new URL(url).port}`;
}

/** A page of its own, as a person of a country has it; what it complains of is kept. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    ...{ viewport: { width: 1024, height: 768 }, locale: "en-GB", timezoneId: "Europe/Sofia" },
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  await watchCalm(context);
  const page = await context.newPage();
  interceptAtOnce(context, page);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // What the gateway refuses is told so, and shown by the page.
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal) complaints.push(message.text());
  });
  return { page, context, complaints };
}

/** Signs a browser in, without the form. @throws Error with the status when it is refused */
export async function signIn(
  { request }: Pick<BrowserContext, "request">,
  url: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  const answer = await request.post(`${url}/api/v1/auth/login`, {
    headers: { "X-Session": "cookie" },
    data: { email, password },
  });
  if (answer.status() !== 200) throw new Error(`signing in is answered ${answer.status()}`);
}

const AXE = new URL(import.meta.resolve("axe-core/axe.min.js"));
let axe: string | undefined;

/** What axe finds serious or critical on a page as it stands, in a line each. */
export async function faultsForReaders(page: Page): Promise<string[]> {
  axe ??= readFileSync(AXE, "utf8");
  // Not as a tag: the page's policy takes no such script. Once in each document: it is large.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe);
  // What fades in has its colours once it is there; what turns for ever is not waited for.
  await page.evaluate(`Promise.allSettled(
    document
      .getAnimations()
      .filter((one) => one.playState === "running")
      .filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime))
      .map((one) => one.finished),
  ).then(() => undefined)`);
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{
          violations: { id: string; impact: string; help: string; nodes: { html: string }[] }[];
        }>;
        /** Its rules are told by a function too, but not how grave what breaks them is. */
        _audit: { rules: { id: string; impact?: string }[] };
      };
    };
    // What breaks a rule has the rule's impact: these take a third of the time for nothing that is told.
    const lesser = checker._audit.rules
      .filter(({ impact }) => impact === "minor" || impact === "moderate")
      .map(({ id }) => [id, { enabled: false }] as const);
    const { violations } = await checker.run({
      ...{ resultTypes: ["violations"], rules: Object.fromEntries(lesser) },
    });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" | ")}`);
  });
}

/**
 * A picture of the page from its top to its end, once its fonts are there: in a window as high as the
 * page, so that what stays at the window's end covers nothing; of a question, the window as it is.
 */
export async function takePicture(page: Page, path: string): Promise<void> {
  await page.evaluate("document.fonts.ready.then(() => undefined)");
  const window = page.viewportSize();
  const isAsked = (await page.locator("[role=dialog]").count()) > 0;
  const height = isAsked ? 0 : await page.evaluate<number>("document.documentElement.scrollHeight");
  const isHigher = window !== null && height > window.height;
  if (isHigher) await page.setViewportSize({ ...window, height });
  await page.screenshot({ path, animations: "disabled" });
  if (isHigher) await page.setViewportSize(window);
}
