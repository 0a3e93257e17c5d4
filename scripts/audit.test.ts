import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { runToEnd } from "#src/e2e/harness/run-to-end.ts";
import { type Accepted, judge } from "./audit.ts";

const ADVISORY = {
  id: 1,
  url: "https://github.com/advisories/GHSA-aaaa-bbbb-cccc",
  title: "It does what it should not",
  severity: "high",
  vulnerable_versions: "<9",
  cwe: [],
  cvss: { score: 0, vectorString: null },
};
const LINE = `elysia <9 (high): It does what it should not ${ADVISORY.url}`;

let asked: string[];
let answer: () => Response;
let registry: Bun.Server<undefined>;
beforeEach(() => {
  asked = [];
  registry = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = new Uint8Array(await request.arrayBuffer());
      const isPacked = request.headers.get("content-encoding") === "gzip";
      const text = new TextDecoder().decode(isPacked ? Bun.gunzipSync(body) : body);
      asked = Object.keys(JSON.parse(text));
      return answer();
    },
  });
});
afterEach(() => registry.stop(true));

const audit = (...further: readonly string[]) =>
  runToEnd([process.execPath, join(import.meta.dir, "audit.ts"), ...further], {
    env: { PATH: process.env.PATH ?? "", NPM_CONFIG_REGISTRY: registry.url.href },
  });

test("asks for what is shipped, the portal's packages too, and fails for what is known", async () => {
  answer = () => Response.json({ elysia: [ADVISORY] });
  const { code, out } = await audit();
  expect([code, out]).toEqual([1, `${LINE}\n`]);
  expect(asked).toEqual(expect.arrayContaining(["elysia", "jose", "react-dom", "@mantine/core"]));
  expect(asked).not.toContain("playwright-core");
  answer = () => Response.json({});
  expect(await audit()).toMatchObject({ code: 0, out: "" });
});

test("says that it was not tried where the registry gives no answer, which a release does not take", async () => {
  answer = () => new Response("no", { status: 405 });
  const { code, out } = await audit();
  expect([code, out]).toEqual([0, expect.stringMatching(/^not tried: known vulner.* 405\n$/)]);
  expect((await audit("--required")).code).toBe(1);
});

test("takes what somebody has judged, until its day is over or it is gone", () => {
  const wrote = { out: JSON.stringify({ elysia: [ADVISORY] }), err: "" };
  const one: Accepted = {
    ...{ id: "GHSA-aaaa-bbbb-cccc", package: "elysia", until: "2026-12-31" },
    reason: "only of files that are served, and none are",
  };
  const faults = (accepts: readonly Accepted[], today: string, out = wrote.out) => {
    const audited = judge({ out, err: "" }, accepts, today);
    return audited.kind === "found" ? audited.faults : audited.reason;
  };
  expect(faults([one], "2026-12-31")).toEqual([]);
  expect(faults([one], "2027-01-01")).toEqual([LINE]);
  expect(faults([{ ...one, package: "jose" }], "2026-12-31")).toHaveLength(2);
  expect(faults([one], "2026-12-31", "{}")).toEqual([
    "audit-accepted.json: GHSA-aaaa-bbbb-cccc of elysia is not found any more",
  ]);
});
