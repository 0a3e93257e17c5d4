import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { certificateNames } from "./certificate-names.ts";
import { decodeConstraints, encodeConstraints, permits } from "./name-constraints.ts";
import { OwnCertificate } from "./own-certificate.ts";

const DAY_MS = 86_400_000;

let folder: string;
let clock: FakeClock;
let addresses: string[];
let logged: string[];
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "fiscald-tls-")), "tls");
  clock = new FakeClock(Date.UTC(2027, 2, 1));
  addresses = ["192.168.1.9", "2001:db8::7"];
  logged = [];
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true }));

function open(extra: readonly string[] = []): OwnCertificate {
  const note = (message: string, fields?: unknown) =>
    void logged.push(message, JSON.stringify(fields ?? {}));
  const log = { debug: note, info: note, warn: note, error: note } as unknown as Log;
  const names = () =>
    certificateNames({ hostname: "Kasa1", addresses, announced: ["fiscald"], extra });
  return new OwnCertificate({ folder, clock, log, names });
}

describe("the own certificate", () => {
  test("names the machine, is the authority's, and its keys are nobody else's to read", async () => {
    const own = open();
    const made = await own.look();
    const leaf = new X509Certificate(made.certificate);
    const authority = new X509Certificate(own.authority ?? "");
    expect(leaf.checkIssued(authority) && leaf.verify(authority.publicKey)).toBe(true);
    for (const name of ["kasa1", "kasa1.local", "fiscald.local", "localhost"]) {
      expect(leaf.checkHost(name)).toBe(name);
    }
    expect(leaf.checkIP("192.168.1.9")).toBe("192.168.1.9");
    // Another one tomorrow.
    expect(leaf.checkIP("2001:db8::7")).toBeUndefined();
    expect((made.notAfter - made.notBefore) / DAY_MS).toBe(397);
    expect(made.notBefore).toBeLessThan(clock.now());
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      const key = /-----BEGIN PRIVATE KEY-----\n(.+)\n/.exec(
        readFileSync(join(folder, name), "utf8"),
      )?.[1];
      expect(key).toHaveLength(64);
      expect(logged.join()).not.toContain(key ?? "");
    }
  });

  test("stays over a restart, and is renewed at two thirds, by the same authority", async () => {
    const first = await open().look();
    const restarted = open();
    expect(await restarted.look()).toEqual(first);
    clock.advance(260 * DAY_MS);
    expect((await restarted.look()).fingerprint).toBe(first.fingerprint);
    clock.advance(5 * DAY_MS);
    const { authority } = restarted;
    expect((await restarted.look()).fingerprint).not.toBe(first.fingerprint);
    expect(open().authority).toBe(authority);
  });

  test("is made anew for a new address, and not for one that went", async () => {
    const own = open();
    const first = await own.look();
    addresses = [];
    expect(await own.look()).toEqual(first);
    addresses = ["192.168.1.10"];
    expect(new X509Certificate((await own.look()).certificate).checkIP("192.168.1.10")).toBe(
      "192.168.1.10",
    );
  });

  test("is never left to begin in the future, nor made for a clock that was not set", async () => {
    const own = open();
    const ahead = await own.look();
    clock.jumpTo(Date.UTC(2026, 10, 1));
    const renewed = await own.look();
    expect(renewed.notBefore).toBeLessThan(clock.now());
    expect(renewed.fingerprint).not.toBe(ahead.fingerprint);
    // A machine without battery begins in 1970: it keeps what it has.
    clock.jumpTo(0);
    expect(await own.look()).toEqual(renewed);
    rmSync(folder, { recursive: true });
    const unset = await open().look();
    expect(unset.notBefore).toBeGreaterThan(Date.UTC(2025, 11, 1));
  });

  test("made anew for an address while the clock was not set ends when the former one does", async () => {
    const own = open();
    const former = await own.look();
    clock.jumpTo(0);
    addresses = ["192.168.1.10"];
    const made = await own.look();
    expect(new X509Certificate(made.certificate).checkIP("192.168.1.10")).toBe("192.168.1.10");
    expect([made.notBefore, made.notAfter]).toEqual([former.notBefore, former.notAfter]);
    clock.jumpTo(Date.UTC(2027, 2, 2));
    expect(await own.look()).toEqual(made);
  });

  test("has its authority written again when somebody removes it beside a running gateway", async () => {
    const own = open();
    const first = await own.look();
    const text = readFileSync(join(folder, "ca.pem"), "utf8");
    rmSync(join(folder, "ca.pem"));
    expect(await own.look()).toEqual(first);
    expect(readFileSync(join(folder, "ca.pem"), "utf8")).toBe(text);
    expect(logged.filter((line) => line.includes("was gone"))).toHaveLength(1);
    rmSync(folder, { recursive: true });
    await own.look();
    const next = open();
    await next.look();
    expect(next.authority).toBe(own.authority);
  });

  test("says so while its authority is gone and cannot be written again", async () => {
    const own = open();
    const first = await own.look();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "in the way");
    expect([await own.look(), await own.look()]).toEqual([first, first]);
    expect(own.trouble).toContain("cannot be written again");
    expect(own.isAuthorityLost).toBe(false);
    expect(logged.filter((line) => line.includes("cannot be written again"))).toHaveLength(1);
    rmSync(folder);
    expect(await own.look()).toEqual(first);
    expect([own.trouble, readdirSync(folder)]).toEqual([undefined, ["ca.pem"]]);
  });

  test("lacks a name that the authority was not made for, and says so once", async () => {
    await open().look();
    const made = await open(["till.example"]).look();
    expect(made.names).not.toContain("till.example");
    expect(logged.filter((line) => line.includes("was not made for"))).toHaveLength(1);
    expect(await open(["till.example"]).look()).toEqual(made);
  });

  test("is made anew where its file is damaged", async () => {
    const first = await open().look();
    writeFileSync(join(folder, "server.pem"), first.certificate.slice(0, 100));
    expect((await open().look()).fingerprint).not.toBe(first.fingerprint);
  });
});

test("the domains that an authority may vouch for are read as they were written", () => {
  for (const count of [1, 9, 30]) {
    const domains = ["local", ...Array.from({ length: count }, (_, index) => `kasa${index}.lan`)];
    expect(decodeConstraints(encodeConstraints(domains))).toEqual(domains);
  }
  const within = ["local", "a.local", "kasa1", "10.9.9.9"];
  expect(within.every((name) => permits(["local", "kasa1"], name))).toBe(true);
  const beyond = ["localx", "xlocal", "kasa2", "kasa1.example"];
  expect(beyond.some((name) => permits(["local", "kasa1"], name))).toBe(false);
});
