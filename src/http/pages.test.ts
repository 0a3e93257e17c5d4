/** How the files of the web pages are served: over the wire, as it is about headers. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { FakeClock, systemClock } from "../platform/clock.ts";
import { type RunningHttp, startHttp } from "./listen.ts";
import type { PageFile } from "./page-file.ts";
import { createPages } from "./pages.ts";
import { bareServer } from "./testing/bare-server.ts";

const PAGE = "<!doctype html><title>fiscald</title>";
const SCRIPT = "console.log('a script')";
const folder = mkdtempSync(join(tmpdir(), "fiscald-pages-"));
let loads = 0;
let http: RunningHttp;

function written(name: string, content: string, isHashed: boolean): PageFile {
  const [gzip, brotli] = [join(folder, `${name}.gz`), join(folder, `${name}.br`)];
  writeFileSync(gzip, gzipSync(content));
  writeFileSync(brotli, brotliCompressSync(content));
  const contentType = `text/${name.endsWith("js") ? "javascript" : "html"}; charset=utf-8`;
  return { contentType, etag: `"${name}"`, isHashed, gzip, brotli };
}

beforeAll(() => {
  const files = new Map([
    ["/index.html", written("page", PAGE, false)],
    ["/assets/main-1.js", written("main.js", SCRIPT, true)],
    ["/assets/kept.js", written("kept.js", "a text", true)],
  ]);
  const app = bareServer({
    clock: new FakeClock(),
    pages: createPages(async () => {
      loads += 1;
      return files;
    }),
  });
  http = startHttp(app, { hostname: "127.0.0.1", port: 0, clock: systemClock });
});
afterAll(async () => {
  await http.stop(0);
  rmSync(folder, { recursive: true });
});

const UNPACKED = { "accept-encoding": "identity" };

/** As a browser that opens an address. */
const open = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(`${http.url}${path}`, {
    ...init,
    headers: { accept: "text/html,application/xhtml+xml", ...headers },
    decompress: false,
  });

describe("the page", () => {
  test.each(["/", "/printers", "/receipts/rct_1?tab=paper"])("is what %s shows", async (path) => {
    const page = await open(path, { "accept-encoding": "identity" });
    expect(page.status).toBe(200);
    expect(await page.text()).toBe(PAGE);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("cache-control")).toBe("no-cache");
  });

  test("is not sent again to a browser that has it", async () => {
    const page = await open("/", { "if-none-match": '"other", W/"page"' });
    expect([page.status, await page.text()]).toEqual([304, ""]);
    expect(page.headers.get("etag")).toBe('"page"');
  });

  test("is unpacked once, however many take it in no other form", async () => {
    const text = () => open("/assets/kept.js", UNPACKED).then((answer) => answer.text());
    const all = await Promise.all(Array.from({ length: 20 }, text));
    written("kept.js", "another text", true);
    expect(new Set([...all, await text()])).toEqual(new Set(["a text"]));
  });

  test("runs no script but its own, and stands in nobody's frame", async () => {
    const policy = (await open("/")).headers.get("content-security-policy")?.split("; ") ?? [];
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
  });

  test("is what HEAD asks about", async () => {
    const page = await open("/printers", {}, { method: "HEAD" });
    expect([page.status, await page.text()]).toEqual([200, ""]);
    expect(page.headers.get("etag")).toBe('"page"');
  });
});

describe("what is no page", () => {
  test.each([
    ["an address of the API", "/api/v1/printers", {}],
    ["a file that is not there", "/assets/main-2.js", {}],
    ["an address that no browser opens", "/printers", { accept: "application/json" }],
  ])("%s is 404 in the API's words", async (_, path, headers) => {
    const answer = await open(path, headers);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: "NOT_FOUND" } });
  });

  test.each([
    ["POST", "/"],
    ["OPTIONS", "/"],
    ["POST", "/printers"],
    ["DELETE", "/assets/main-1.js"],
  ])("%s is no method of the page %s", async (method, path) => {
    const answer = await open(path, {}, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect(await answer.json()).toMatchObject({ error: { code: "METHOD_NOT_ALLOWED" } });
  });

  test.each(["/assets/main-2.js", "/api/v1/printers"])(
    "what is sent to %s is 404",
    async (path) => {
      const answer = await open(path, {}, { method: "POST", body: "x" });
      expect(answer.status).toBe(404);
    },
  );
});

describe("a file with its content's name", () => {
  test("is kept by whoever has it", async () => {
    const file = await open("/assets/main-1.js", { accept: "*/*" });
    expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(file.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  });

  test.each([
    ["gzip, deflate, br, zstd", "br", brotliCompressSync(SCRIPT)],
    ["gzip, deflate", "gzip", gzipSync(SCRIPT)],
    ["br;q=0, gzip;q=0.5", "gzip", gzipSync(SCRIPT)],
    ["identity", null, Buffer.from(SCRIPT)],
    ["gzip;q=0", null, Buffer.from(SCRIPT)],
  ])("comes as %s takes it", async (taken, encoding, content) => {
    const file = await open("/assets/main-1.js", { "accept-encoding": taken });
    expect(file.headers.get("content-encoding")).toBe(encoding);
    expect(file.headers.get("vary")).toBe("Accept-Encoding");
    expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true);
  });
});

test("files are looked up once, and not before somebody asks for one", async () => {
  await Promise.all([open("/"), open("/printers")]);
  expect(loads).toBe(1);
});
