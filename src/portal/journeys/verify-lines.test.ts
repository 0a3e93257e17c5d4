/** The lines that a receiver checks messages with, as the portal shows them, in their own runtimes. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCSharp, C_SHARP_PROGRAMS } from "../../e2e/harness/c-sharp.ts";
import { hasPrograms, programEnvironment } from "../../e2e/harness/other-runtime.ts";
import { runToEnd } from "../../e2e/harness/run-to-end.ts";
import { signatureHeaders } from "../../webhooks/signature.ts";
import { type VerifyLanguage, verifyLines } from "../pages/settings/webhooks/verify-lines.ts";

const SECRET = `whsec_${Buffer.alloc(32, "key+/").toString("base64")}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const BODY = '{"id":"evt_1","data":{"name":"Хляб"}}';

interface Receiver {
  readonly language: VerifyLanguage;
  readonly programs: readonly string[];
  readonly file: string;
  /** Around the lines: says for each pair of arguments, header and body, what they make of it. */
  readonly around: (lines: string) => string;
  readonly command: (path: string, folder: string) => Promise<readonly string[]>;
}

const RECEIVERS: readonly Receiver[] = [
  {
    ...{ language: "TypeScript", programs: [], file: "check.ts" },
    around: (lines) => `${lines}
const given = process.argv.slice(2);
for (let at = 0; at < given.length; at += 2) console.log(isFromGateway(given[at] ?? "", given[at + 1] ?? "") ? 1 : 0);`,
    command: async (path) => [process.execPath, path],
  },
  {
    ...{ language: "Python", programs: ["python3"], file: "check.py" },
    around: (lines) => `${lines}
import sys
given = sys.argv[1:]
for at in range(0, len(given), 2):
    print(int(is_from_gateway(given[at], given[at + 1].encode())))`,
    command: async (path) => ["python3", path],
  },
  {
    ...{ language: "PHP", programs: ["php"], file: "check.php" },
    around: (lines) => `<?php
${lines}
for ($at = 1; $at < $argc; $at += 2) {
    echo isFromGateway($argv[$at], $argv[$at + 1]) ? 1 : 0, "\\n";
}`,
    command: async (path) => ["php", path],
  },
  {
    ...{ language: "C#", programs: C_SHARP_PROGRAMS, file: "check.cs" },
    around: (lines) => `${lines}
static class Check
{
    static void Main(string[] given)
    {
        for (var at = 0; at < given.Length; at += 2)
            Console.WriteLine(Webhook.IsFromGateway(given[at], given[at + 1]) ? 1 : 0);
    }
}`,
    command: buildCSharp,
  },
];

function header(secret: string, at: number, body = BODY): string {
  return signatureHeaders({ secret, id: "evt_1", at, body })["x-service-signature"] ?? "";
}

const FOUND = RECEIVERS.filter(({ language, programs }) =>
  hasPrograms(`the portal's lines in ${language}`, programs),
);

describe.each([...FOUND])("the lines in $language", ({ language, file, around, command }) => {
  let folder: string;
  let run: readonly string[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "fiscald-lines-"));
    const path = join(folder, file);
    writeFileSync(path, around(verifyLines(language, SECRET)));
    run = await command(path, folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("take what the gateway has signed just now, and nothing else", async () => {
    const now = Date.now();
    const good = header(SECRET, now);
    const cases: readonly (readonly [header: string, body: string, isTaken: 0 | 1])[] = [
      [good, BODY, 1],
      [good, `${BODY} `, 0],
      [good.replace(/.$/, (last) => (last === "0" ? "1" : "0")), BODY, 0],
      [header(OTHER_SECRET, now), BODY, 0],
      [header(SECRET, now - 301_000), BODY, 0],
      [header(SECRET, now + 900_000), BODY, 0],
      [good.replace("t=", "t=1"), BODY, 0],
      ["t=soon,v1=", BODY, 0],
      ["", "", 0],
    ];
    const given = cases.flatMap((one) => one.slice(0, 2).map(String));
    const { code, out, err } = await runToEnd([...run, ...given], {
      ...{ cwd: folder, env: programEnvironment() },
    });
    expect([err, code]).toEqual(["", 0]);
    expect(out.trim().split(/\r?\n/).map(Number)).toEqual(cases.map(([, , isTaken]) => isTaken));
  });
});
