/** What doctor says of the copy elsewhere, on folders that stand for a machine whose systemd says what is given. */

import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { boxForEachTest } from "../e2e/harness/box-for-each-test.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import type { Finding } from "./doctor-findings.ts";
import { placeScript } from "./testing/machine-folder.ts";

const box = boxForEachTest();
const at = (path: string): string => join(box.folder, "machine", path);
const place = (path: string, text: string): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};

/** What is told of the replica, where systemd and the journal say that. */
async function told(state: string, ...journal: readonly string[]): Promise<string[]> {
  const said = join(box.folder, "said");
  writeFileSync(said, journal.map((line) => `${line}\n`).join(""));
  placeScript(join(box.folder, "bin/systemctl"), `#!/bin/sh\necho ActiveState=${state}\n`);
  placeScript(
    join(box.folder, "bin/journalctl"),
    `#!/bin/sh\n[ "$1" = --unit=fiscald-replicate ] && exec cat '${said}'\n`,
  );
  const { out } = await runToEnd(
    [box.program, "doctor", "--json", "--state-dir", at("var/lib/fiscald")],
    { env: { PATH: `${join(box.folder, "bin")}:/usr/bin:/bin` } },
  );
  return (JSON.parse(out) as Finding[])
    .filter(({ about }) => about === "Replication")
    .map((finding) => `${finding.state}: ${finding.text}`);
}

const STANDS = "error: the database is not copied elsewhere";
const WRITTEN = `time=2026-11-29T11:51:12.666Z level=INFO msg="wal segment written" db=/var/lib/fiscald/fiscald.db`;
const REFUSED =
  `time=2026-11-29T11:51:13.986Z level=ERROR msg="monitor error" db=/var/lib/fiscald/fiscald.db replica=s3 ` +
  `error="RequestError: send request failed\\ncaused by: InvalidAccessKeyId: the key has ended"`;
const OTHER = `time=2026-11-29T11:51:14.666Z level=INFO msg="snapshot interval adjusted"`;

describe("the copy of the database elsewhere", () => {
  test("is told where it stands still, and why", async () => {
    place("var/lib/fiscald/fiscald.replica", "/mnt/nas/fiscald\n");
    expect(await told("failed")).toEqual([]);
    place("etc/systemd/system/fiscald-replicate.service", "");
    expect(await told("failed")).toEqual([`${STANDS}: fiscald-replicate is failed`]);
    // It runs on while the place refuses it.
    expect(await told("active", WRITTEN, REFUSED, OTHER)).toEqual([
      `${STANDS}: caused by: InvalidAccessKeyId: the key has ended`,
    ]);
    expect(await told("active", REFUSED, WRITTEN, OTHER)).toEqual(["ok: fiscald-replicate runs"]);
    place("etc/fiscald/litestream.yml", "access-key-id: shop\n");
    chmodSync(at("etc/fiscald/litestream.yml"), 0o644);
    expect(await told("active", WRITTEN)).toEqual([
      `error: others may read ${at("etc/fiscald/litestream.yml")}, in which keys may stand`,
      "ok: fiscald-replicate runs",
    ]);
    chmodSync(at("etc/fiscald/litestream.yml"), 0o640);
    expect(await told("active", WRITTEN)).toEqual(["ok: fiscald-replicate runs"]);
    rmSync(at("var/lib/fiscald/fiscald.replica"));
    const [text] = await told("inactive");
    expect(text).toStartWith(`${STANDS}: nothing says where this state directory may be copied to`);
  });
});
