/** What doctor makes of a machine that has something wrong: each finding with what to do. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { certificateSource } from "../app/certificate-source.ts";
import { noteOutcome } from "../backup/kept-backups.ts";
import { loadConfig } from "../config/load-config.ts";
import { stateFiles } from "../config/state-files.ts";
import type { SettingKey } from "../config.ts";
import { CLOCK_FLOOR, FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { userName } from "../platform/user-name.ts";
import { certificateNames } from "../tls/certificate-names.ts";
import { OwnCertificate } from "../tls/own-certificate.ts";
import {
  clockFinding,
  type Finding,
  lookAtCertificate,
  lookAtNames,
  lookAtPorts,
  lookAtState,
  roomFinding,
} from "./doctor-findings.ts";
import { driftCure, lookAtSerialPorts, serialFault } from "./doctor-printers.ts";

const DAY_MS = 86_400_000;
const MADE_AT = Date.UTC(2027, 2, 1);

let folder: string;
let endsAt: number;
let pem: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-doctor-"));
  const clock = new FakeClock(MADE_AT);
  const own = new OwnCertificate({
    ...{ folder: stateFiles(folder).tls, clock, log: createLog({ level: "silent", clock }) },
    names: () => certificateNames({ hostname: "kasa", addresses: [], announced: [], extra: [] }),
  });
  const made = await own.look();
  endsAt = made.notAfter;
  pem = join(stateFiles(folder).tls, "server.pem");
});
afterAll(() => rmSync(folder, { recursive: true }));

function configOf(settings: Partial<Record<SettingKey, string>>) {
  const flags = new Map(
    Object.entries({ "state.dir": folder, ...settings }) as [SettingKey, string][],
  );
  return loadConfig({ flags, file: undefined }, { environment: {}, pid: 1 }).config;
}

/** As doctor prints it. */
function shown(findings: readonly Finding[]): string[] {
  return findings.map(({ about, state, text, cure }) =>
    [`${about} ${state}: ${text}`, ...(cure === undefined ? [] : [cure])].join(" -> "),
  );
}

describe("the state directory", () => {
  test("of another user is told, with how to be that user", () => {
    const owner = statSync(folder).uid;
    expect(shown(lookAtState(folder, { uid: owner + 1, username: "ana" }))[0]).toStartWith(
      `State warning: ${folder} belongs to ${userName(owner)}, not ana -> run it as the user that the directory belongs to: sudo `,
    );
  });

  test("with files that others may read is told, with their names", () => {
    const { database } = stateFiles(folder);
    writeFileSync(database, "");
    chmodSync(database, 0o644);
    const [finding = ""] = shown(lookAtState(folder));
    expect(finding).toBe(
      `State error: others may read fiscald.db -> chmod -R go= ${folder}, or start the gateway anew`,
    );
    chmodSync(database, 0o600);
    expect(shown(lookAtState(folder))[0]).toBe(`State ok: ${folder}`);
    rmSync(database);
    // Of an earlier version, and of what copies the database elsewhere: sales are in them too.
    const folders = [".fiscald.db-litestream", "before-upgrade"];
    for (const name of folders) {
      mkdirSync(join(folder, name));
      chmodSync(join(folder, name), 0o755);
    }
    expect(shown(lookAtState(folder))[0]).toContain(`others may read ${folders.join(", ")} ->`);
    for (const name of folders) rmSync(join(folder, name), { recursive: true });
    // A link says that anybody may do anything: what it leads to counts.
    const elsewhere = join(folder, "elsewhere.db");
    writeFileSync(elsewhere, "", { mode: 0o600 });
    symlinkSync(elsewhere, database);
    expect(shown(lookAtState(folder))[0]).toBe(`State ok: ${folder}`);
    chmodSync(elsewhere, 0o604);
    expect(shown(lookAtState(folder))[0]).toContain(`others may read ${elsewhere} ->`);
    for (const path of [database, elsewhere]) rmSync(path);
  });

  test.each([
    [255, "error"],
    [256, "ok"],
  ])("with %i MB free is %s", (freeMb, state) => {
    const finding = roomFinding("/var/lib/fiscald", freeMb);
    expect(finding).toMatchObject({ about: "Disk", state });
    expect(finding.cure ?? "").toBe(
      state === "ok"
        ? ""
        : "make room: old files in before-upgrade and failed-update*, the journal (journalctl --vacuum-size=100M)",
    );
  });
});

test.each([
  { now: CLOCK_FLOOR - 1, isKept: true, state: "error", text: "it was never set" },
  { now: CLOCK_FLOOR, isKept: false, state: "warning", text: "nothing keeps it right" },
  { now: CLOCK_FLOOR, isKept: true, state: "ok", text: "2026-01-01 00:00+00" },
  { now: CLOCK_FLOOR, isKept: undefined, state: "ok", text: "2026-01-01 00:00+00" },
])("a clock at $now, kept right: $isKept, is $state", ({ now, isKept, state, text }) => {
  const finding = clockFinding({ now, isKept });
  expect<string>(finding.state).toBe(state);
  expect(finding.text).toContain(text);
  expect(finding.cure?.startsWith("timedatectl set-ntp true")).toBe(
    state === "ok" ? undefined : true,
  );
});

test.each([
  { year: 2019, isKept: true, cure: /^first see to this machine's clock, .*; then set it$/ },
  { year: 2031, isKept: false, cure: /^first see to this machine's clock, .*; then set it$/ },
  {
    year: 2031,
    isKept: undefined,
    cure: /^where this machine's clock is right, .* 2031-03-01 .*: set it$/,
  },
  { year: 2031, isKept: true, cure: /^set it$/ },
])(
  "a printer's clock is set by one of $year, kept right: $isKept, once that is right",
  ({ year, isKept, cure }) => {
    expect(driftCure("set it", { now: Date.UTC(year, 2, 1), isKept })).toMatch(cure);
  },
);

describe("the certificate", () => {
  const look = (now: number, settings: Partial<Record<SettingKey, string>>) =>
    shown(lookAtCertificate(configOf(settings), new FakeClock(now))).join();
  const files = () => ({ "https.certificate": "files", "https.certFile": pem });

  test("from files is told when it ends, has ended, or begins later", () => {
    const day = new Date(endsAt).toISOString().slice(0, 10);
    expect(look(endsAt - 15 * DAY_MS, files())).toBe(
      `HTTPS ok: the certificate is valid until ${day}`,
    );
    expect(look(endsAt - 13 * DAY_MS, files())).toBe(
      `HTTPS warning: the certificate ends ${day} -> renew the files`,
    );
    expect(look(endsAt, files())).toBe(
      `HTTPS error: the certificate ended ${day} -> renew the files`,
    );
    expect(look(MADE_AT - 400 * DAY_MS, files())).toBe(
      "HTTPS error: the certificate begins later -> renew the files",
    );
  });

  test("of the own authority is renewed by the gateway", () => {
    expect(look(endsAt, { "https.certificate": "own" })).toEndWith(
      "-> start the gateway, which renews it",
    );
  });

  test("that is gone with its folder is put back, not made anew, where a gateway has run", () => {
    const bare = mkdtempSync(join(tmpdir(), "fiscald-doctor-"));
    try {
      const settings = { "state.dir": bare, "https.certificate": "own" } as const;
      expect(look(MADE_AT, settings)).toBe(
        "HTTPS warning: there is no certificate yet -> start the gateway",
      );
      writeFileSync(stateFiles(bare).reserve, "");
      expect(look(MADE_AT, settings)).toMatch(
        /the authority that tills trust is gone -> .* restore --only tls FILE .*; or start the gateway for a new/,
      );
      rmSync(stateFiles(bare).reserve);
      const file = "/media/stick/fiscald-kasa-20270301T020000Z.tar.gz.age";
      const createdAt = new Date(MADE_AT).toISOString();
      noteOutcome(bare, { last: { file, bytes: 1, createdAt } });
      expect(look(MADE_AT, settings)).toMatch(
        /restore --only tls .*\/media\/stick\/fiscald-kasa.*; or start the gateway for a new authority/,
      );
    } finally {
      rmSync(bare, { recursive: true });
    }
  });

  test("by ACME is told with the authority's refusal, whatever is left of it", async () => {
    copyFileSync(pem, join(stateFiles(folder).tls, "acme.pem"));
    const settings = { "https.certificate": "acme", "https.names": "till.shop.example" } as const;
    const clock = new FakeClock(endsAt - 15 * DAY_MS);
    const log = createLog({ level: "silent", clock });
    const { promise, resolve } = Promise.withResolvers<void>();
    const config = configOf(settings);
    // Nobody has accepted the terms, so nobody is asked.
    await certificateSource({ config, clock, log, changed: resolve }).look();
    await promise;
    const day = new Date(endsAt).toISOString().slice(0, 10);
    const refusal = "no new certificate: acme.acceptTerms is false";
    const cases = [
      [endsAt - 15 * DAY_MS, `HTTPS warning: ${refusal}`],
      [endsAt - 13 * DAY_MS, `HTTPS warning: the certificate ends ${day}; ${refusal}`],
      [endsAt, `HTTPS error: the certificate ended ${day}; ${refusal}`],
    ] as const;
    for (const [now, text] of cases) {
      expect(look(now, settings)).toStartWith(text);
      expect(look(now, settings)).toEndWith("systemctl reload fiscald tries again at once");
    }
  });

  test("in a file of another kind is told with the file, and what it has to hold", () => {
    const [other, locked] = [join(folder, "other.pem"), join(folder, "locked.pem")];
    writeFileSync(other, "\u0000\u0001 a PKCS #12 archive");
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const lock = { cipher: "aes-256-cbc", passphrase: "secret" };
    writeFileSync(locked, privateKey.export({ type: "pkcs8", format: "pem", ...lock }));
    const told = (settings: Partial<Record<SettingKey, string>>) =>
      look(MADE_AT, { ...files(), ...settings });
    expect(told({ "https.certFile": other })).toStartWith(
      `HTTPS error: the certificate cannot be used: ${other} holds no certificate as PEM, `,
    );
    expect(told({ "https.keyFile": other })).toContain(`${other} holds no private key as PEM, `);
    expect(told({ "https.keyFile": locked })).toContain(`${locked} holds an encrypted key, `);
  });

  test("that is not there is told with the page that helps", () => {
    const gone = { "https.certificate": "files", "https.certFile": join(folder, "gone.pem") };
    expect(look(MADE_AT, gone)).toMatch(
      /^HTTPS error: the certificate cannot be used: .*gone\.pem.* -> see \/docs\/tls\.html/,
    );
    expect(look(MADE_AT, { "https.certificate": "off" })).toMatch(
      /^HTTPS warning: it is off: .* -> set \[https\]/,
    );
  });
});

test("a port that another program has is told with how to find it", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  expect(shown(await lookAtPorts(configOf({ "http.listen": `127.0.0.1:${port}` })))).toEqual([
    `Port error: 127.0.0.1:${port} cannot be listened on: EADDRINUSE -> ss -ltnp shows who has it; or set http.listen`,
  ]);
  server.close();
});

test("a name that no resolver knows is told once, and an address not at all", async () => {
  const found = await lookAtNames([
    ...["localhost", "127.0.0.1", "[::1]", "shop.invalid", "shop.invalid"],
  ]);
  expect(found.map(({ state }) => state)).toEqual(["ok", "error"]);
  expect(shown(found)[1]).toMatch(
    /^DNS error: shop\.invalid does not resolve: .* -> .*resolvectl query$/,
  );
});

test("a serial port that the machine around a container has is not asked for", () => {
  const port = (path: string) => ({ path, byId: null });
  const found = lookAtSerialPorts([port(join(folder, "ttyS9")), port("/dev/null")]);
  expect(shown(found)).toEqual(["Serial port ok: /dev/null"]);
});

test("a serial port that is not there, or that the user may not open, is told", () => {
  expect(shown([serialFault(join(folder, "ttyUSB7"))].flatMap((one) => one ?? []))).toEqual([
    `Serial port error: ${join(folder, "ttyUSB7")} is not there -> plug it in; lasting names are in /dev/serial/by-id`,
  ]);
  const cureOf = (group: number, mode: number) => {
    const port = join(folder, `tty-${group}-${mode}`);
    writeFileSync(port, "");
    chmodSync(port, mode);
    chownSync(port, 0, group);
    return serialFault(port, () => false)?.cure;
  };
  const dialout = Number(/^dialout:[^:]*:(\d+):/m.exec(readFileSync("/etc/group", "utf8"))?.[1]);
  expect(cureOf(dialout, 0o660)).toMatch(/^usermod -aG dialout \S+; then start/);
  for (const [group, mode] of [
    [dialout, 0o600],
    [0, 0o660],
  ] as const) {
    expect(cureOf(group, mode)).toStartWith("give it to a group by a udev rule");
  }
  expect(serialFault(folder, () => true)).toBeUndefined();
});
