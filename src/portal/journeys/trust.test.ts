/** The gateway's authority in a browser: refused until it is in the browser's store, trusted then. */

import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Box } from "../../e2e/harness/box.ts";
import { hasPrograms, mustRun } from "../../e2e/harness/other-runtime.ts";
import { startOwnProcess, textOf } from "../../e2e/harness/own-process.ts";
import { executable } from "../../e2e/harness/program.ts";
import { browsers, openPage, startBrowser } from "./browser.ts";

describe.each(browsers())("the certificate", (path) => {
  const box = new Box();
  afterAll(() => box.clear());

  /** What a browser of a user's makes of an address: the page's title, or why there is none. */
  async function visit(home: string, url: string): Promise<string> {
    const browser = await startBrowser(path, { home });
    try {
      const { page } = await openPage(browser);
      return await page.goto(`${url}/ca`).then(
        () => page.title(),
        (error: unknown) => /net::\w+/.exec(String(error))?.[0] ?? String(error),
      );
    } finally {
      await browser.close();
    }
  }

  test("is trusted by who has put the downloaded authority into the store, by nobody else", async () => {
    if (!hasPrograms("the authority in a browser", ["certutil"])) return;
    const gateway = box.keep(
      startOwnProcess([
        ...[await executable(), "serve", "--state-dir", box.stateDir, "--http-listen=127.0.0.1:0"],
        ...["--https-listen=127.0.0.1:0", "--https-certificate=own", "--http-drain-seconds=0"],
      ]),
    );
    const plain = textOf(await gateway.line("listening"), "url");
    const secure = textOf(await gateway.line("listening with TLS"), "url");
    const store = join(box.folder, "home/.pki/nssdb");
    mkdirSync(store, { recursive: true });
    const place = ["-d", `sql:${store}`];
    await mustRun(box.folder, ["certutil", "-N", "--empty-password", ...place]);
    const home = join(box.folder, "home");
    expect(await visit(home, secure)).toBe("net::ERR_CERT_AUTHORITY_INVALID");
    const file = join(box.folder, "fiscald-ca.crt");
    writeFileSync(file, await (await fetch(`${plain}/ca.crt`)).bytes());
    const trusted = ["-A", "-n", "fiscald", "-t", "C,,", "-i", file];
    await mustRun(box.folder, ["certutil", ...trusted, ...place]);
    expect(await visit(home, secure)).toBe("Trust this gateway");
  });
});
