import { beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boxForEachTest } from "../e2e/harness/box-for-each-test.ts";
import { asRoot } from "../e2e/harness/other-runtime.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { userName } from "../platform/user-name.ts";

const KEEPER = 65_534;
const THERE = "/var/lib/fiscald";

const box = boxForEachTest();
beforeEach(() => {
  mkdirSync(join(box.folder, "fiscald"), { mode: 0o700 });
  chownSync(join(box.folder, "fiscald"), KEEPER, KEEPER);
  mkdirSync(join(box.folder, "wrong"));
});

const READERS: readonly (readonly string[])[] = [
  ...[["status"], ["alert", "list"], ["check"], ["address"], ["tls"], ["doctor"]],
  ...[
    ["backup", "--list"],
    ["backup", "--passphrase-stdin"],
    ["diagnostics", "--to", "x.json"],
  ],
];

/** Runs a command in a folder without a state, on a machine whose service has one. */
const run = (...words: readonly string[]) =>
  runToEnd(
    [
      ...["unshare", "--mount", "sh", "-ec", 'mount --bind "$0" /var/lib; exec "$@"', box.folder],
      ...[box.program, ...words],
    ],
    {
      ...{ cwd: join(box.folder, "wrong"), stdin: "a long password\n" },
      env: { PATH: "/usr/bin:/bin" },
    },
  );
const wrongState = () => join(box.folder, "wrong/state");

// It takes a machine of its own, by its folders.
const ROOT = asRoot("commands beside a service");
describe.each(ROOT)("in a folder without a state, beside a service, as %s", () => {
  test("a command names the service's state, and the line that looks there", async () => {
    for (const words of READERS) {
      const { out, err, code } = await run(...words);
      expect([words, out, code]).toEqual([words, "", 3]);
      const as = words[0] === "diagnostics" ? "sudo " : `sudo -u ${userName(KEEPER)} `;
      expect(err).toMatch(new RegExp(`keeps its state in ${THERE}: ${as}\\S+ `));
      expect(err).toEndWith(` ${words.join(" ")} --state-dir ${THERE}\n`);
      expect(err).not.toContain(" setup");
    }
    const config = await run("config");
    expect([config.code, config.err]).toEqual([
      0,
      expect.stringContaining(`keeps its state in ${THERE}`),
    ]);
    const chosen = await run("status", "--state-dir", "state");
    expect(chosen.err).not.toContain(THERE);
  });

  test("a settings file alone, as a start that failed leaves it, is no state", async () => {
    mkdirSync(wrongState());
    writeFileSync(join(wrongState(), "fiscald.toml"), "");
    for (const words of [["config"], ...READERS]) {
      const { err } = await run(...words);
      expect([words, err]).toEqual([words, expect.stringContaining(`its state in ${THERE}`)]);
    }
    expect(readdirSync(join(box.folder, "wrong"))).toEqual(["state"]);
  });

  test("setup makes no second shop unless it is asked to", async () => {
    const words = [
      ...["setup", "--owner-name", "Ana", "--owner-email", "ana@shop.example", "--password-stdin"],
      ...["--shop", "Corner Shop", "--currency", "EUR", "--timezone", "Europe/Sofia"],
    ];
    const refused = await run(...words);
    expect([refused.code, refused.out, existsSync(wrongState())]).toEqual([2, "", false]);
    expect(refused.err).toContain(`\n  sudo -u ${userName(KEEPER)} `);
    expect(refused.err).toContain(`--timezone Europe/Sofia --state-dir ${THERE}\n`);
    expect(refused.err).toEndWith(` --timezone Europe/Sofia --state-dir ${wrongState()}\n`);
    for (const other of [["migrate"], ["restore", box.program]]) {
      expect(await run(...other)).toMatchObject({ code: 2, out: "" });
      expect(existsSync(wrongState())).toBe(false);
    }
    expect(await run(...words, "--state-dir", "state")).toMatchObject({ code: 0 });
    // It is there now, and means itself.
    expect(await run("setup")).toMatchObject({ code: 0 });
  });
});

const AS_KEEPER = ["setpriv", `--reuid=${KEEPER}`, "--clear-groups"];
/** As sudo leaves it to what it starts. */
const BY_SUDO = { PATH: "/usr/bin:/bin", SUDO_USER: "ana", SUDO_UID: "1000", SUDO_GID: "1000" };
/** A machine with systemd that has the gateway's unit, as far as its files show it. */
const WITH_UNIT = [
  // Whatever process starts it: everybody may look there.
  "umask 022",
  'mount --bind "$0" /var/lib',
  "mount -t tmpfs tmpfs /run",
  "mkdir -p /run/systemd/system",
  "mount -t tmpfs tmpfs /etc/systemd",
  "mkdir /etc/systemd/system",
  "touch /etc/systemd/system/fiscald.service",
];

describe.each(ROOT)("on the service's state, as %s", () => {
  beforeEach(() => {
    for (const folder of [box.folder, join(box.folder, "wrong")]) chmodSync(folder, 0o755);
    mkdirSync(join(box.folder, "fiscald-starts"));
    chownSync(join(box.folder, "fiscald-starts"), KEEPER, KEEPER);
  });

  const onService = (
    words: readonly string[],
    { as = AS_KEEPER, cwd = "/", state = ["--state-dir", THERE], env = {} } = {},
  ) => {
    const script = [...WITH_UNIT, 'exec "$@"'].join("; ");
    return runToEnd(
      [
        ...["unshare", "--mount", "sh", "-ec", script, box.folder, ...as],
        ...[box.program, ...words, ...state],
      ],
      { cwd, stdin: "a long password\n", env: { ...BY_SUDO, ...env } },
    );
  };
  // No machine has it: a gateway that would have begun ends with code 4, and leaves nothing.
  const SERVE = ["serve", "--http-listen", "192.0.2.1:80"];
  const START = "sudo systemctl start fiscald";

  test("a gateway that does not run is started by systemd, whichever command finds it", async () => {
    expect(await onService(["migrate"])).toMatchObject({ code: 0 });
    const start = "sudo systemctl start fiscald";
    for (const words of [["status"], ["address"]]) {
      const { err } = await onService(words);
      expect(err).toEndWith(`no gateway runs on ${THERE}: start it with ${start}\n`);
    }
    const { out } = await onService(["doctor"]);
    expect(out).toContain(`Gateway: it does not run\n        -> ${start}\n`);
  });

  test("a gateway begins no second state unless it is asked to", async () => {
    const there = { as: [], cwd: join(box.folder, "wrong"), state: [] };
    const refused = await onService(SERVE, there);
    expect([refused.code, refused.out, existsSync(wrongState())]).toEqual([2, "", false]);
    expect(refused.err).toContain(`keeps its state in ${THERE}. Type for that one:\n  ${START}\n`);
    expect(refused.err).toEndWith(` --http-listen 192.0.2.1:80 --state-dir ${wrongState()}\n`);
    for (const env of [
      { FISCALD_STATE_DIR: wrongState() },
      // Another unit's.
      { STATE_DIRECTORY: wrongState() },
    ]) {
      expect([env, (await onService(SERVE, { ...there, env })).code]).toEqual([env, 4]);
    }
    expect((await onService(SERVE, { ...there, state: ["--state-dir", "state"] })).code).toBe(4);
    // As in a container, whose folder may have that name.
    expect((await run(...SERVE)).code).toBe(4);
    expect(await run("migrate", "--state-dir", "state")).toMatchObject({ code: 0 });
    expect((await onService(SERVE, there)).code).toBe(4);
  });

  test("root starts no gateway there beside systemd", async () => {
    const { code, out, err } = await onService(SERVE, { as: [] });
    expect([code, out, readdirSync(join(box.folder, "fiscald"))]).toEqual([3, "", []]);
    expect(err).toContain(`${THERE} belongs to ${userName(KEEPER)}, `);
    expect(err).toContain(`\n  ${START}\n`);
  });

  test("the line that looks there is one for whoever has typed it", async () => {
    const { err } = await onService(["status"], { cwd: join(box.folder, "wrong"), state: [] });
    expect(err).toContain(`keeps its state in ${THERE}: sudo -u ${userName(KEEPER)} `);
  });

  test("restore ends with lines that whoever typed it may paste", async () => {
    expect(await onService(["migrate"])).toMatchObject({ code: 0 });
    const backups = join(box.folder, "backups");
    mkdirSync(backups);
    chownSync(backups, KEEPER, KEEPER);
    const quick = ["--passphrase-stdin", "--backup-work-factor", "10"];
    const made = await onService(["backup", "--to", "/var/lib/backups", ...quick]);
    expect(made.code).toBe(0);
    const { out } = await onService(["restore", made.out.trim(), "--passphrase-stdin"]);
    expect(out).toEndWith("\nThen: sudo systemctl start fiscald\n");
    // Nobody but the keeper may look into what was put aside either.
    const [aside = ""] = readdirSync(join(box.folder, "fiscald")).filter((name) =>
      name.startsWith("fiscald.before-restore-"),
    );
    const other = ["setpriv", "--reuid=65533", "--clear-groups"];
    const { err } = await runToEnd(
      [...other, box.program, "command", "list", "--state-dir", join(box.folder, "fiscald", aside)],
      { cwd: "/" },
    );
    expect(err).toContain(`the directory belongs to: sudo -u ${userName(KEEPER)} `);
    expect(err).toContain(" command list --state-dir /");
  });

  test("doctor by root has nothing to say of whose it is", async () => {
    expect(await onService(["migrate"])).toMatchObject({ code: 0 });
    const { out } = await onService(["doctor"], { as: [] });
    expect(out).toContain(`State: ${THERE}\n`);
    expect(out).not.toContain("belongs to");
  });
});
