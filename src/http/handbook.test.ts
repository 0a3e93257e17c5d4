/** How the handbook is served: over the wire, as it is about addresses and headers. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { FakeClock, systemClock } from "../platform/clock.ts";
import { createHandbook } from "./handbook.ts";
import { type RunningHttp, startHttp } from "./listen.ts";
import type { PageFile } from "./page-file.ts";
import { bareServer } from "./testing/bare-server.ts";

const folder = mkdtempSync(join(tmpdir(), "fiscald-handbook-"));
let http: RunningHttp;

function written(name: string): PageFile {
  const [gzip, brotli] = [join(folder, `${name}.gz`), join(folder, `${name}.br`)];
  writeFileSync(gzip, gzipSync(name));
  writeFileSync(brotli, brotliCompressSync(name));
  const contentType = "text/html; charset=utf-8";
  return { contentType, etag: `"${name}"`, isHashed: false, gzip, brotli };
}

beforeAll(() => {
  const names = ["index.html", "tls.html", "404.html"];
  const app = bareServer({
    clock: new FakeClock(),
    pages: createHandbook(
      async () => new Map(names.map((name) => [`/${name}`, written(name)] as const)),
    ),
  });
  http = startHttp(app, { hostname: "127.0.0.1", port: 0, clock: systemClock });
});
afterAll(async () => {
  await http.stop(0);
  rmSync(folder, { recursive: true });
});

const open = (path: string, init: RequestInit = {}) =>
  fetch(`${http.url}${path}`, { redirect: "manual", ...init });

describe("the handbook", () => {
  test.each([
    ["/docs/", "index.html"],
    ["/docs/tls.html", "tls.html"],
  ])("has at %s its file %s, compressed", async (path, name) => {
    const answer = await open(path);
    expect([answer.status, await answer.text()]).toEqual([200, name]);
    expect(answer.headers.get("content-encoding")).toBe("br");
    const again = await open(path, { headers: { "if-none-match": `"${name}"` } });
    expect(again.status).toBe(304);
  });

  test("takes no other methods than GET and HEAD", async () => {
    const answer = await open("/docs/", { method: "POST", body: "x" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await open("/docs/none", { method: "POST", body: "x" })).status).toBe(404);
  });

  test("begins in its folder, whoever leaves the slash out", async () => {
    const answer = await open("/docs");
    expect([answer.status, answer.headers.get("location")]).toEqual([308, "/docs/"]);
  });

  test.each(["/docs/tls", "/docs/tls/", "/docs/tls.md"])(
    "leads from %s to the page that is meant",
    async (path) => {
      const answer = await open(path);
      expect([answer.status, answer.headers.get("location")]).toEqual([308, "/docs/tls.html"]);
    },
  );

  test("says where it has no page, each time anew", async () => {
    const init = { headers: { "if-none-match": '"404.html"' } };
    const answer = await open("/docs/a/b.html", init);
    expect([answer.status, await answer.text()]).toEqual([404, "404.html"]);
  });

  test("lets nothing in from elsewhere, and no script or style of a text", async () => {
    const policy = (await open("/docs/")).headers.get("content-security-policy")?.split("; ");
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
  });

  test.each(["/docsheet", "/", "/tls.html"])("has nothing at %s", async (path) => {
    expect((await open(path)).headers.get("content-type")).toStartWith("application/json");
  });
});
