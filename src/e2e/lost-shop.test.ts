/** After a repair that lost whose the saved rows are, the shop goes on, and commands agree about it. */

import { expect, test } from "bun:test";
import { closeSync, openSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ApiClient, startGateway } from "./harness/gateway.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { inStoppedShop, withDatabase } from "./harness/stopped-shop.ts";
import type { World } from "./harness/world.ts";
import { receiptsOf, sellKeyed } from "./outages/restored.ts";
import {
  COMPLETED,
  endOf,
  inWorld,
  resolve,
  sell,
  statusOf,
  untilAlert,
  untilNoAlert,
} from "./outages/scene.ts";

const ZONE = "Europe/Athens";

const stateOf = ({ folder }: World): string => join(folder, "state");

async function inState(stateDir: string, words: readonly string[], stdin = "") {
  const program = await executable();
  return runToEnd([program, ...words, "--state-dir", stateDir], { stdin });
}

const at = (world: World, ...words: readonly string[]) => inState(stateOf(world), words);

/** The line behind a text, as a person types it. */
const typed = (out: string, behind: string) => {
  const [, line = ""] = new RegExp(`${behind}:?\\s*\\n +(.*)\\n`).exec(out) ?? [];
  expect(line).not.toBe("");
  return runToEnd(["sh", "-c", line], { env: { PATH: "/usr/bin:/bin" } });
};

/**
 * Cuts a database where its users begin, behind which its places lie too, and wipes the page of its
 * organizations: devices and keys lie before, and so does what tells which tables there are.
 */
function cutShopAway(file: string): void {
  const rooted =
    "SELECT (rootpage - 1) * page_size AS at, page_size AS size FROM sqlite_schema, pragma_page_size";
  const placeOf = (table: string) =>
    withDatabase(file, (database) =>
      database.query<{ at: number; size: number }, [string]>(`${rooted} WHERE name = ?`).get(table),
    );
  const [users, organizations] = [placeOf("users"), placeOf("organizations")];
  if (!users || !organizations) throw new Error("the database lacks a table");
  truncateSync(file, users.at);
  const descriptor = openSync(file, "r+");
  writeSync(
    descriptor,
    new Uint8Array(organizations.size),
    0,
    organizations.size,
    organizations.at,
  );
  closeSync(descriptor);
}

async function backUp(world: World): Promise<string> {
  const passphrase = join(world.folder, "passphrase");
  writeFileSync(passphrase, "a passphrase for tests\n");
  const words = ["--backup-passphrase-file", passphrase, "--backup-work-factor", "10"];
  return (await at(world, "backup", ...words)).out.trim();
}

test("a cut file that has lost the shop: a backup is named first, and printers and tills go on", () =>
  inWorld({}, async (world) => {
    const owner = new ApiClient(world.gateway.url, world.ownerToken);
    await owner.expect("PATCH", "/org", { timezone: ZONE, currency: "RON" });
    const first = await sellKeyed(world, "sale-1");
    expect(endOf(await world.till.wait(first.body.command.id))).toEqual(COMPLETED);
    const printed = await receiptsOf(world);
    await world.gateway.stop();
    const backup = await backUp(world);
    cutShopAway(world.database);

    const repaired = await at(world, "repair");
    expect(repaired.code).toBe(1);
    expect(repaired.err).not.toContain("names the currency");
    expect(repaired.out).toMatch(/\norganizations +0 +all, nobody knows how many\n/);
    expect(repaired.out).toMatch(/\ndevices +1 +nothing\n/);
    const told = repaired.out.replaceAll(/\s+/g, " ");
    const putBack = told.indexOf(` restore ${backup} --state-dir ${stateOf(world)}`);
    const anew = told.indexOf(
      `It was made anew as Recovered shop: RON, ${ZONE}, plan enterprise; its printers,`,
    );
    expect([putBack > 0, anew > putBack]).toEqual([true, true]);
    const added = await typed(repaired.out, "own name and\\s+address");
    expect([added.code, added.err]).toEqual([0, expect.stringContaining("as owner")]);

    await world.restartGateway();
    await untilAlert(world, "state_restored");
    const login = { email: "owner@shop.example", password: added.out.trim() };
    const { accessToken } = await new ApiClient(world.gateway.url).expect<{ accessToken: string }>(
      "POST",
      "/auth/login",
      login,
    );
    const next = new ApiClient(world.gateway.url, accessToken);
    expect(await next.expect("GET", "/org")).toMatchObject({ name: "Recovered shop" });
    const health = await (await fetch(`${world.gateway.url}/health`)).text();
    expect(health).toContain("1 of 1 printer cannot print or need a person");
    const status = await at(world, "status");
    expect([status.code, status.out]).toEqual([
      1,
      expect.stringContaining(`device accept ${world.deviceId}`),
    ]);
    expect(status.out).not.toContain("has no owner");
    expect(await at(world, "device", "list")).toMatchObject({
      ...{ code: 0, out: expect.stringContaining(world.deviceId) },
    });
    expect((await world.till.call("GET", "/devices")).status).toBe(200);

    const repeats = [await sellKeyed(world, "sale-1"), await sellKeyed(world, "sale-2")];
    const waiting = repeats.map(({ body }) => body.command.id);
    expect(await statusOf(world, waiting[1] ?? "")).toBe("pending");
    expect(await at(world, "device", "accept", "Printer")).toMatchObject({ code: 0 });
    await untilNoAlert(world, "state_restored");
    expect(await receiptsOf(world)).toBe(printed);
    for (const id of new Set(waiting)) {
      const { result } = await world.till.wait(id);
      if (result?.data?.outcome === "unknown") await resolve(world, id, { outcome: "printed" });
    }
    expect(endOf(await sell(world))).toEqual(COMPLETED);
    expect(await receiptsOf(world)).toBe(printed + 1);
  }));

test("a shop whose row alone is gone is made anew, also behind a repair of an older version", () =>
  inStoppedShop(async ({ box, file, run }) => {
    const printer = ["--driver", "vendorE.zfp", "--transport", "tcp", "--host", "127.0.0.1"];
    const where = ["--name", "Bar", "--location", "shop", "--port", "9"];
    expect(await run("device", "add", ...where, ...printer)).toMatchObject({ code: 0 });
    withDatabase(file, (database) => {
      database.run("PRAGMA foreign_keys = OFF");
      database.run("DELETE FROM organizations");
    });
    // Neither a new shop beside it, nor a command that knows none of its printers.
    expect((await run("status")).out).toMatch(/Shop: the shop .* is lost.* repair --state-dir/s);
    for (const words of [["device", "list"], ["setup"], ["setup", "--code"]]) {
      const refused = await run(...words);
      expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("fiscald repair")]);
    }
    const gateway = box.keep(await startGateway(box.stateDir));
    expect(gateway.output()).toContain("the shop that is stored here is lost");
    await gateway.stop();
    const { code, out, err } = await run("repair");
    expect([code, out]).toEqual([1, expect.stringContaining("It was made anew as Recovered shop")]);
    expect(err).toContain("nothing that was saved names the currency of Recovered shop");
    expect(out).not.toContain("has no owner");
    expect(await run("user", "list")).toMatchObject({
      ...{ code: 0, out: expect.stringContaining("owner@shop.example") },
    });
    expect(await run("repair")).toMatchObject({ code: 0 });
  }));

test("the first shop that is lost stays the one whose owners look after the machine", () =>
  inStoppedShop(async ({ box, file, run }) => {
    const second = ["--organization", "Second", "--name", "B", "--email", "b@shop.example"];
    expect(await run("user", "add", "--role", "owner", ...second)).toMatchObject({ code: 0 });
    const names = () =>
      withDatabase(file, (database) =>
        database.query("SELECT name FROM organizations ORDER BY rowid").values().flat(),
      );
    expect(names()).toEqual(["Corner Shop", "Second"]);
    withDatabase(file, (database) => {
      database.run("PRAGMA foreign_keys = OFF");
      database.run("DELETE FROM organizations WHERE name = 'Corner Shop'");
    });
    expect(await run("repair")).toMatchObject({ code: 1 });
    expect(names()).toEqual(["Recovered shop", "Second"]);
    await startGateway(box.stateDir).then((gateway) => box.keep(gateway));
  }));

test("people and places that are lost: set-up makes an owner, and the place keeps its name", () =>
  inStoppedShop(async ({ box, file, run }) => {
    const gateway = box.keep(await startGateway(box.stateDir));
    const printer = ["--driver", "vendorE.zfp", "--transport", "tcp", "--host", "127.0.0.1"];
    await gateway.stop();
    const place = "loc_01M8FBNBB1PJ3R594BV687712X";
    withDatabase(file, (database) =>
      database.run(
        "INSERT INTO audit_entries (org_id, at, actor, action, resource, details) SELECT id, 1, 'box', 'location.created', ?, ? FROM organizations",
        [place, '{"name":"Quay"}'],
      ),
    );
    const where = ["--name", "Bar", "--location", place, "--port", "9"];
    expect(await run("device", "add", ...where, ...printer)).toMatchObject({ code: 0 });
    withDatabase(file, (database) => {
      database.run("PRAGMA foreign_keys = OFF");
      for (const table of ["users", "locations"]) database.run(`DROP TABLE ${table}`);
    });
    const repaired = await run("repair");
    const told = repaired.out.replaceAll(/\s+/g, " ");
    expect([repaired.code, told]).toEqual([1, expect.stringContaining("made anew as Quay")]);
    expect(told).toContain("Corner Shop has no owner");

    expect((await run("status")).out).toContain("Corner Shop: it has no owner");
    const asked = await run("setup");
    expect([asked.code, asked.out]).toEqual([0, expect.stringContaining("Make an owner")]);
    const owner = ["--owner-name", "Ana", "--owner-email", "ana@shop.example"];
    const incomplete = await run("setup", ...owner);
    expect(incomplete).toMatchObject({ code: 2, err: expect.stringMatching("--password-stdin") });
    const words = ["setup", ...owner, "--password-stdin"];
    const made = await inState(box.stateDir, words, "correct horse battery\n");
    expect([made.code, made.out]).toEqual([0, expect.stringContaining("Ana, ana@shop.example")]);
    expect(made.out).not.toContain("Make an owner");
    const shown = await run("user", "list");
    expect(shown.out).toMatch(/ana@shop\.example +Ana +owner/);
  }));
