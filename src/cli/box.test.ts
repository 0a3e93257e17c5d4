import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { createStores } from "#db/stores/index.ts";
import { Writer } from "#db/writer.ts";
import { executable } from "../e2e/harness/program.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { systemClock } from "../platform/clock.ts";
import { usualPlace } from "./setup-answers.ts";

let program: string;
beforeAll(async () => {
  program = await executable();
});

let folder: string;
let database: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-box-"));
  // Stays open, as it does in a gateway that runs meanwhile.
  database = openDatabase(join(folder, "fiscald.db"));
  migrate(database, systemClock.now());
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function run(
  args: readonly string[],
  { stdin = "", stateDir = folder }: { stdin?: string; stateDir?: string } = {},
) {
  const command = [program, ...args, "--state-dir", stateDir];
  return runToEnd(command, { cwd: folder, stdin });
}

const words = (line: string) => line.trim().split(/\s+/);
const addOwner = () =>
  run([
    ..."user add --email Ana@Example.com --name Ana --role owner".split(" "),
    "--organization",
    "Shop",
  ]);

async function setPlan(plan: "pro") {
  const { organizations } = createStores(database);
  const orgId = organizations.list()[0]?.id ?? "";
  await new Writer(database).run(() => organizations.setPlan(orgId, plan, systemClock.now()));
  return orgId;
}

describe("fiscald user", () => {
  test("adds the first owner with an organization and a password shown once", async () => {
    const { out, err, code } = await addOwner();
    expect(code).toBe(0);
    expect(out).toMatch(/^[A-Za-z0-9_-]{20}\n$/);
    expect(err).toContain("added ana@example.com as owner");
    const list = await run(["user", "list"]);
    const [, row = ""] = list.out.split("\n");
    expect(words(row).slice(0, 4)).toEqual(["ana@example.com", "Ana", "owner", "yes"]);
    expect(list.out).not.toContain(out.trim());
    const again = await addOwner();
    expect([again.code, again.out]).toEqual([2, ""]);
    expect(createStores(database).organizations.list()).toHaveLength(1);
  });

  test("makes a new organization an owner, whoever is not said to be one, where its zone is", async () => {
    const { code, err } = await run([
      ..."user add --email ana@example.com --name Ana --organization".split(" "),
      "Shop",
    ]);
    expect([code, err]).toEqual([0, expect.stringContaining("added ana@example.com as owner")]);
    const [shop] = createStores(database).organizations.list();
    expect(shop).toMatchObject({ name: "Shop", ...usualPlace({}) });
  });

  test.each([
    ["an empty name", "", [], "organizationName"],
    ["a name that nobody can see", "\u202eShop", [], "organizationName"],
    ["a name that is too long", "x".repeat(256), [], "organizationName"],
    ["nobody who manages it", "Shop", ["--role", "operator"], "owner"],
  ])("makes no organization with %s", async (...[, name, more, said]) => {
    const made = "user add --email ana@example.com --name Ana --organization".split(" ");
    const { code, err } = await run([...made, name, ...more]);
    expect([code, err]).toEqual([2, expect.stringContaining(said)]);
    expect(createStores(database).organizations.list()).toEqual([]);
  });

  test("makes none beside a shop that is lost", async () => {
    await addOwner();
    database.sqlite.pragma("foreign_keys = OFF");
    database.sqlite.exec("DELETE FROM organizations");
    const { code, err } = await run([
      ..."user add --email eve@example.com --name Eve --organization".split(" "),
      "Another",
    ]);
    expect([code, err]).toEqual([2, expect.stringContaining("fiscald repair")]);
    expect(createStores(database).organizations.list()).toEqual([]);
  });

  test("takes a password from the standard input and then does not show it", async () => {
    await addOwner();
    const added = await run(
      "user add --email b@example.com --name Bo --password-stdin --json".split(" "),
      { stdin: "a long enough password\n" },
    );
    expect(added.code).toBe(0);
    expect(JSON.parse(added.out)).toMatchObject({ email: "b@example.com", role: "operator" });
    expect(added.out + added.err).not.toContain("long enough");
    const short = await run(["user", "reset-password", "b@example.com", "--password-stdin"], {
      stdin: "short\n",
    });
    expect(short.code).toBe(2);
    expect(short.err).toContain("password");
    expect(short.err).not.toContain("short\n");
    const reset = await run(["user", "reset-password", "b@example.com"]);
    expect([reset.code, reset.out.trim().length]).toEqual([0, 20]);
  });

  test("prints a code that sets a password, once and within an hour", async () => {
    await addOwner();
    const { out, err, code } = await run(["user", "reset-code", "Ana@example.com"]);
    expect([code, out]).toEqual([0, expect.stringMatching(/^[A-Za-z0-9_-]{43}\n$/)]);
    expect(err).toContain("one hour");
    const hash = new Bun.CryptoHasher("sha256").update(out.trim()).digest("hex");
    const { passwordCodes } = createStores(database);
    const { user, code: made } = passwordCodes.find(hash) ?? {};
    expect(user?.email).toBe("ana@example.com");
    expect((made?.expiresAt ?? 0) - (made?.createdAt ?? 0)).toBe(3_600_000);
    const json = await run(["user", "reset-code", "ana@example.com", "--json"]);
    expect(JSON.parse(json.out)).toEqual({
      email: "ana@example.com",
      code: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    });
    expect(await run(["user", "reset-code", "nobody@example.com"])).toMatchObject({
      ...{ code: 2, err: expect.stringMatching(/no user nobody@\S+\. .* user list .* lists them/) },
    });
  });

  test("ends everybody's sessions and makes a new key to sign logins with", async () => {
    await addOwner();
    const stores = createStores(database);
    const { id: userId = "", orgId = "" } = stores.users.findByEmail("ana@example.com") ?? {};
    const now = systemClock.now();
    const expiresAt = now + 60_000;
    stores.users.insertSession({
      ...{ id: "session", orgId, userId, createdAt: now, endedAt: null, expiresAt },
    });
    stores.appliance.put("token.secret", "of a stolen disk");
    const { out, code } = await run(["user", "end-sessions"]);
    expect([code, out]).toEqual([0, expect.stringContaining("restart the gateway")]);
    expect(stores.users.getSession(orgId, "session")?.session.endedAt).toBeGreaterThanOrEqual(now);
    expect(stores.appliance.find("token.secret")).toMatch(/^[0-9a-f]{64}$/);
    expect(stores.audit.list(orgId, 1)).toMatchObject([
      { actor: "box", action: "user.sessions_ended", resource: userId },
    ]);
  });

  test("ends the waits after wrong passwords, those of addresses too", async () => {
    await addOwner();
    const { guesses } = createStores(database);
    const at = { failures: 40, lastAt: systemClock.now() };
    guesses.put({ ...at, subject: "of an account", account: "ana" });
    guesses.put({ ...at, subject: "of an address", account: null });
    const { out, code } = await run(["user", "end-waits"]);
    expect([code, out]).toEqual([0, "ended what was counted of wrong passwords and codes: 2\n"]);
    expect(guesses.find("of an account") ?? guesses.find("of an address")).toBeUndefined();
    const json = await run(["user", "end-waits", "--json"]);
    expect(JSON.parse(json.out)).toEqual({ ended: 0 });
  });

  test("refuses to deactivate the last owner, and knows nobody else", async () => {
    await addOwner();
    const last = await run(["user", "deactivate", "ana@example.com"]);
    expect([last.code, last.out]).toEqual([2, ""]);
    expect(last.err).toContain("last active owner who can log in");
    expect((await run(["user", "activate", "nobody@example.com"])).code).toBe(2);
  });
});

describe("fiscald key", () => {
  test("creates, lists and revokes a key under the rules of the plan", async () => {
    await addOwner();
    const create = ["key", "create", "--label", "till", "--scopes", "commands, devices:read"];
    const refused = await run(create);
    expect([refused.code, refused.out]).toEqual([2, ""]);
    expect(refused.err).toContain("plan free");
    const orgId = await setPlan("pro");
    const created = await run(create);
    expect(created.out).toMatch(new RegExp(`^svc_live_${orgId}_[0-9a-f]{32}\\n$`));
    const [key] = JSON.parse((await run(["key", "list", "--json"])).out);
    expect(key).toMatchObject({
      label: "till",
      scopes: ["commands", "devices:read"],
      active: true,
    });
    expect((await run(["key", "revoke", key.id])).code).toBe(0);
    expect(JSON.parse((await run(["key", "list", "--json"])).out)).toEqual([]);
    const wrong = await run(["key", "create", "--label", "n", "--scopes", "everything"]);
    expect(wrong.code).toBe(2);
    expect(wrong.err.match(/everything: it takes receipts, /g)).toHaveLength(1);
    expect(wrong.err).toContain("A till needs commands,devices:read,receipts.");
    const late = await run([...create, "--expires", "tomorrow"]);
    expect([late.code, late.err.match(/expiresAt/g)]).toEqual([2, ["expiresAt"]]);
    const two = await run([...create, "--expires", "tomorrow", "--label", ""]);
    expect(two.err).toMatch(/^fiscald: label: [^\n]+\n {2}expiresAt: [^\n]+\n$/);
  });

  test("has a till's scopes unless told, and is revoked by a label that no other has", async () => {
    await addOwner();
    await setPlan("pro");
    const create = ["key", "create", "--label", "Casa 2"];
    const first = await run(create);
    expect(first.err).toContain("its scopes are commands,devices:read,receipts, as a till needs");
    await run(create);
    const keys = async () => JSON.parse((await run(["key", "list", "--json"])).out);
    const [newer, older] = await keys();
    expect(older.scopes).toEqual(["commands", "devices:read", "receipts"]);
    const revoke = (called: string) => run(["key", "revoke", called]);
    expect(await revoke("Casa 2")).toMatchObject({
      code: 2,
      err: expect.stringContaining(`several API keys are called Casa 2: ${newer.id}, ${older.id};`),
    });
    expect((await revoke(newer.id)).code).toBe(0);
    expect(await revoke("Casa 2")).toMatchObject({ code: 0, out: `revoked ${older.id}\n` });
    expect(await revoke("Casa 2")).toMatchObject({
      code: 2,
      err: "fiscald: there is no API key Casa 2: fiscald key list shows them\n",
    });
  });
});

describe("fiscald device", () => {
  test("adds, lists and removes a device beside an open database", async () => {
    await addOwner();
    const add = "device add --name Bar --driver vendorA.isl --transport tcp --location s1".split(
      " ",
    );
    const added = await run([...add, "--host", "10.0.0.9", "--port", "9100"]);
    expect(added.out).toMatch(/^dev_[0-9A-Z]{26}\n$/);
    const { out } = await run(["device", "list"]);
    expect(words(out.split("\n")[1] ?? "")).toEqual([
      added.out.trim(),
      "Bar",
      "vendorA.isl",
      "10.0.0.9:9100",
      "s1",
      "offline",
      "-",
    ]);
    const wrong = await run([...add, "--host", "10.0.0.9", "--port", "many"]);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain("connectionParams.port");
    expect((await run(["device", "remove", "Nobody"])).err).toContain("fiscald device list shows");
    expect((await run(["device", "remove", "Bar"])).out).toBe(`removed ${added.out}`);
    expect((await run(["device", "remove", added.out.trim()])).code).toBe(2);
  });

  test("makes out transport and place, and names at once all that is missing", async () => {
    await addOwner();
    await setPlan("pro");
    const bare = await run(["device", "add"]);
    expect([bare.code, bare.err]).toEqual([
      2,
      "fiscald: device add needs --name and --driver and " +
        "--address (HOST:PORT, a device path or AA:BB:CC:DD:EE:FF) too\n",
    ]);
    const add = (...more: readonly string[]) =>
      run(["device", "add", "--name", "Bar", "--driver", "vendorA.isl", ...more, "--json"]);
    const added = async (...more: readonly string[]) => JSON.parse((await add(...more)).out);
    const network = await added("--address", "127.0.0.1:38474", "--location", "bar");
    expect(network).toMatchObject({
      ...{ transport: "tcp", connectionParams: { host: "127.0.0.1", port: 38474 } },
      locationId: "bar",
    });
    // The only place that the shop has.
    const serial = await added("--address", "/dev/ttyUSB7");
    expect(serial).toMatchObject({ transport: "serial", locationId: "bar" });
    const hall = await added("--host", "10.0.0.9", "--port", "9100", "--location", "hall");
    expect(hall).toMatchObject({ transport: "tcp", locationId: "hall" });
    const unclear = await add("--address", "10.0.0.8");
    expect([unclear.code, unclear.err]).toEqual([
      2,
      expect.stringMatching(/device add needs --port and --location \(known: (bar|hall), /),
    ]);
    const wrong = await add("--address", "[::1", "--location", "bar");
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--address must be ")]);
  });
});

test("what another user may not look into is not called empty", async () => {
  await addOwner();
  const isRoot = process.getuid?.() === 0;
  // Only another user meets what closes nothing to the superuser.
  const as = isRoot ? ["setpriv", "--reuid=65534", "--clear-groups"] : [];
  chmodSync(folder, isRoot ? 0o700 : 0);
  const look = (words: string) =>
    runToEnd([...as, program, ...words.split(" "), "--state-dir", folder], { cwd: "/" });
  // Nor is what has to be typed in asked for first.
  const makers = ["setup", "serve", "migrate", "restore /etc/passwd"];
  const lookers = [
    "status",
    "command list",
    "backup",
    "check",
    "repair",
    "address",
    "tls",
    "config",
  ];
  for (const words of [...lookers, ...makers]) {
    const { out, err, code } = await look(words);
    expect([words, code, out]).toEqual([words, 3, ""]);
    expect(err).toMatch(/ may not look into .*: run it as the user .*: sudo (-u \S+ )?\S+fiscald /);
  }
  const doctor = await look("doctor");
  expect(doctor.out).toContain("may not look into it");
  expect(doctor.out).not.toMatch(/chown|setup|it does not run|HTTPS/);
  const told = join(mkdtempSync(join(tmpdir(), "fiscald-told-")), "told.json");
  chmodSync(dirname(told), 0o777);
  await look(`diagnostics --to ${told}`);
  expect(JSON.parse(readFileSync(told, "utf8")).gateway).toContain("may not look into");
  rmSync(dirname(told), { recursive: true });
  chmodSync(folder, 0o700);
});

test("a database that is gone is not called damaged", async () => {
  const empty = mkdtempSync(join(folder, "empty-"));
  for (const words of [["repair"], ["check"]]) {
    const { code, err } = await run(words, { stateDir: empty });
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(
        new RegExp(
          `^fiscald: there is no database in ${empty}: \\S.* restore FILE --state-dir ${empty} puts a backup in its place\n$`,
        ),
      ),
    ]);
  }
  const list = await run(["backup", "--list"], { stateDir: empty });
  expect([list.code, list.out]).toEqual([0, `There are none in ${join(empty, "backups")}.\n`]);
});

test("a database that a repair was moving aside when it was broken off is told, and repaired", async () => {
  await addOwner();
  database.close();
  const stateDir = mkdtempSync(join(folder, "broken-off-"));
  const aside = "fiscald.before-repair-20261125T100000";
  mkdirSync(join(stateDir, aside));
  const kept = join(stateDir, aside, "fiscald.db");
  renameSync(join(folder, "fiscald.db"), kept);
  const note = `2026-11-25 a repair was broken off: run it again; the old state is in ${aside}`;
  writeFileSync(join(stateDir, "fiscald.db.damaged"), `${note}\n`);
  for (const look of [["status"], ["check"], ["user", "list"]]) {
    const { code, err } = await run(look, { stateDir });
    expect([look, code, err]).toEqual([look, 3, expect.stringContaining(`fiscald: ${note}. `)]);
  }
  expect(await run(["repair"], { stateDir })).toMatchObject({ code: 0, err: "" });
  expect((await run(["user", "list"], { stateDir })).out).toContain("owner");
});

test("without a database a command says so and makes none", async () => {
  const empty = mkdtempSync(join(folder, "empty-"));
  const { code, err } = await run(["user", "list"], { stateDir: empty });
  expect(code).toBe(3);
  expect(err).toContain("no database");
  expect(readdirSync(empty)).toEqual([]);
});
