/** What a person at the box sees and says, beside a running gateway and without one. */

import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quieten } from "./crash/run.ts";
import { Box } from "./harness/box.ts";
import { startGateway } from "./harness/gateway.ts";
import { executable } from "./harness/program.ts";
import { type Ended, runToEnd } from "./harness/run-to-end.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import {
  COMPLETED,
  endOf,
  inWorld,
  makeUnknown,
  sell,
  sellByOtherHost,
  submitSale,
  untilAlert,
  untilNoAlert,
} from "./outages/scene.ts";

let program: string;
beforeAll(async () => {
  program = await executable();
});

type AtBox = (words: string, ...more: readonly string[]) => Promise<Ended>;

/** Runs commands at the box, and sees that what they print is fit for any terminal. */
function atBox(stateDir: string): AtBox {
  return async (words, ...more) => {
    const args = [...words.split(" "), ...more, "--state-dir", stateDir];
    const ended = await runToEnd([program, ...args]);
    // Lines to be pasted are as long as their paths, and JSON as its values.
    const rows = ended.out.split("\n").filter((row) => !/--state-dir|":? ?"/.test(row));
    for (const row of rows) {
      expect(row.length).toBeLessThanOrEqual(80);
      expect(row).not.toContain("\u001b");
    }
    return ended;
  };
}

/** How many commands have ended, as Prometheus reads it. */
async function endsIn({ gateway }: World): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  return Number(/^fiscald_command_seconds_count (\d+)$/m.exec(text)?.[1]);
}

const inShop = (use: (world: World, box: AtBox) => Promise<void>) =>
  inWorld({}, (world) => use(world, atBox(join(world.folder, "state"))));

const one = (text: string) => text.replaceAll(/\s+/g, " ");

test.concurrent("behind a proxy status, doctor and diagnostics say what the machine itself may know", async () => {
  const own = new Box();
  try {
    const args = [
      ...["--http-trust-proxy=true", "--metrics-key=known-to-prometheus-alone"],
      ...["--backup-to=/nowhere/backups", "--backup-passphrase-file=/nowhere/passphrase"],
    ];
    const { url } = own.keep(await startGateway(own.stateDir, { args }));
    const box = atBox(own.stateDir);
    const reason = "/nowhere";
    // It listens before it has looked where backups go.
    const open = await until("a word about backups", async () => {
      const text = await (await fetch(`${url}/health`)).text();
      return text.includes("backup_unready") && text;
    });
    expect(open).not.toContain(reason);
    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    const { needs } = JSON.parse((await box("status --json")).out);
    expect(JSON.stringify(needs)).toContain(reason);
    expect(JSON.parse((await box("doctor --json")).out)).toContainEqual(
      expect.objectContaining({ about: "Gateway", text: expect.stringContaining(reason) }),
    );
    const to = join(own.folder, "shop.json");
    expect((await box("diagnostics --to", to)).code).toBe(0);
    const { gateway } = JSON.parse(readFileSync(to, "utf8"));
    expect(JSON.stringify(gateway.health)).toContain(reason);
    expect(gateway.metrics).toContain("fiscald_");
  } finally {
    await own.clear();
  }
});

test.concurrent("that has no room for temporary files is told so, and to put back no backup", async () => {
  const own = new Box();
  try {
    await runToEnd([program, "migrate", "--state-dir", own.stateDir]);
    const full = join(own.folder, "full");
    writeFileSync(full, "");
    const line = (words: string) =>
      runToEnd([program, ...words.split(" "), "--state-dir", own.stateDir], {
        env: { TMPDIR: full },
      });
    const why = "what works on the database cannot be loaded: ";
    const cure = `make room in ${full}, or have BUN_TMPDIR name another folder`;
    for (const words of ["status", "check", "command list"]) {
      const { code, err } = await line(words);
      expect([words, code, one(err)]).toEqual([words, 3, expect.stringContaining(why)]);
      expect(one(err)).toContain(cure);
    }
    const { out } = await line("doctor");
    expect(one(out)).toContain(`ERROR Database: ${why}`);
    expect(one(out)).toContain(cure);
    expect(out).not.toContain("restore");
    expect(out).not.toContain("repair");
  } finally {
    await own.clear();
  }
});

describe("fiscald status", () => {
  test.concurrent("shows link, queue and last receipt, and asks without leaving a trace", () =>
    inShop(async (world, box) => {
      await untilNoAlert(world, "device_disconnected");
      const { id } = await sell(world);
      const { out, err, code } = await box("status");
      expect([code, err]).toEqual([0, ""]);
      expect(out).toMatch(/^Gateway {2}\d+\.\d+\.\d+ at http:\/\/127\.0\.0\.1:\d+, up \d+ s\n/);
      expect(out).toContain("Shop     Corner Shop, plan enterprise\n");
      expect(out).toMatch(
        /\nPrinter {2}up {4}0 {8}- {10}no\. \d+, 17\.27 RON, \d\d-\d\d \d\d:\d\d\+0[23]\n/,
      );
      expect(out).toEndWith("\nNothing needs a person.\n");
      const told = JSON.parse((await box("status --json")).out);
      expect(told.gateway).toMatchObject({ running: true, url: world.gateway.url });
      expect(told.shops[0].devices).toMatchObject([
        {
          id: world.deviceId,
          link: "up",
          waiting: 0,
          lastReceipt: { commandId: id, total: 17.27 },
        },
      ]);
      const keys = JSON.parse((await box("key list --json")).out);
      expect(keys).toHaveLength(1);
    }));

  test.concurrent("says what needs a person, with 1, and what waits", () =>
    inShop(async (world, box) => {
      await quieten(world);
      await world.printer.fault({ kind: "paper_out", mode: "refused", at: 4 });
      await submitSale(world);
      await untilAlert(world, "paper_out");
      await submitSale(world);
      const { out, err, code } = await box("status");
      expect([code, err]).toEqual([1, "fiscald: 1 thing needs a person\n"]);
      expect(out).toMatch(/\nPrinter {2}up {4}1 {8}print_receipt, \d+ s +-\n/);
      expect(one(out)).toContain("Needs a person: - Printer: The paper has run out: load a new");
      const reading =
        "asked for its state every 30 s: what was just mended may stand here until then.";
      expect(one(out)).toContain(reading);
      const list = await box("alert list");
      expect([list.code, list.err]).toEqual([0, ""]);
      expect(one(list.out)).toContain(reading);
      const options = "doctor --json --http-listen 127.0.0.1:0 --https-certificate off";
      const findings = JSON.parse((await box(options)).out);
      expect(findings).toContainEqual({
        ...{
          about: "HTTPS",
          state: "ok",
          text: "it is off; HTTP takes requests of this machine alone",
        },
      });
      expect(findings).toContainEqual({
        ...{ about: "Printer", state: "error", text: "Printer: The paper has run out" },
        cure: expect.stringContaining(
          "load a new roll; a document under way then goes on, a refused one ",
        ),
      });
      expect(list.out).toMatch(
        /^error {4}Printer, paper_out, since \d{4}-\d\d-\d\d \d\d:\d\d\+0[23]: The /,
      );
      expect((await box("alert list --severity warning")).out).toBe("There are no alerts.\n");
      const alerts = JSON.parse((await box("alert list --json --device Printer")).out);
      expect(alerts).toMatchObject([{ type: "paper_out", deviceId: world.deviceId }]);
    }));

  test.concurrent("says why a printer cannot be reached", () =>
    inShop(async (world, box) => {
      await world.printer.kill();
      await untilAlert(world, "device_disconnected");
      await until("the reason", async () => (await box("status")).out.includes("refused"));
      const { out, code } = await box("status");
      expect(code).toBe(1);
      expect(out).toMatch(/\nPrinter {2}down /);
      expect(one(out)).toContain("Cannot reach");
      const doctor = JSON.parse((await box("doctor --json")).out);
      expect(doctor).toContainEqual({
        ...{ about: "Printer", state: "error" },
        text: expect.stringMatching(/^Printer: Cannot reach /),
        cure: expect.stringMatching(/^switch it on, and check its network cable .* detect --host /),
      });
      const { id } = await submitSale(world);
      await until("it is handed over", async () =>
        (await box("command show", id)).out.includes("Handed over"),
      );
      const settled = await box("command resolve", id, "printed");
      expect([settled.code, settled.err]).toEqual([
        2,
        expect.stringMatching(
          /the device has not begun it\. .* ends by itself at \d.*\+0[23], as not/,
        ),
      ]);
      const refused = await world.till.call<{ error: { message: string } }>(
        ...(["POST", `/commands/${id}/resolve`, { body: { outcome: "printed" } }] as const),
      );
      expect([refused.status, refused.body.error.message]).toEqual([
        409,
        expect.stringMatching(/ends by itself at \d{4}-\S+Z, as not printed$/),
      ]);
    }));

  test.concurrent("without a gateway says so, with 3, and claims nothing of what it cannot know", () =>
    inShop(async (world, box) => {
      await sell(world);
      await world.killGateway();
      const { out, err, code } = await box("status");
      expect(code).toBe(3);
      expect(err).toMatch(/^fiscald: no gateway runs on .*: start it with .* serve --state-dir /);
      expect(out).toContain("Gateway  does not run: links and most alerts are not known\n");
      expect(out).toMatch(/\nPrinter {2}\? {5}0 {8}- {10}no\. \d+, 17\.27 RON/);
      expect(out).not.toContain("Nothing needs");
      const [device] = JSON.parse((await box("status --json")).out).shops[0].devices;
      expect(device).toMatchObject({ link: null, reason: null, alerts: [] });
      const list = await box("alert list");
      expect([list.code, list.out]).toEqual([
        3,
        "None is stored; what the printers say now is not known.\n",
      ]);
    }));

  test("says where to begin when nobody has set the shop up", async () => {
    const place = new Box();
    try {
      place.keep(await startGateway(place.stateDir));
      const { out, code } = await atBox(place.stateDir)("status");
      expect(code).toBe(1);
      expect(out).toContain("- Shop: nobody has set it up yet\n");
      expect(out).toMatch(/ setup --state-dir /);
    } finally {
      await place.clear();
    }
  });
});

describe("fiscald command", () => {
  test.concurrent("lists by device, status, type and time, newest first", () =>
    inShop(async (world, box) => {
      const first = await sell(world);
      const read = await world.till.submit(world.deviceId, "get_status");
      await world.till.wait(read.id);
      const { out, code } = await box("command list");
      const [head = "", ...rows] = out.trimEnd().split("\n");
      expect(code).toBe(0);
      expect(head).toMatch(/^COMMAND +STATUS +TYPE +AMOUNT +RESULT +ACCEPTED\+0[23]$/);
      const [newest = "", before = "", ...older] = rows;
      // The printer is asked what it has printed before, and read until it is quiet.
      expect(older.filter((row) => !/ get_(sta|las)/.test(row))).toEqual([]);
      expect([newest, before].map((row) => row.split(" ")[0])).toEqual([read.id, first.id]);
      expect(before).toMatch(/ completed {2}receipt +17\.27 +\d+ +\d\d-\d\d \d\d:\d\d$/);
      const ids = async (...filter: readonly string[]) => {
        const ended = await box("command list --json", ...filter);
        return JSON.parse(ended.out).map((record: { id: string }) => record.id);
      };
      expect(await ids("--type", "print_receipt")).toEqual([first.id]);
      expect(await ids("--limit", "1")).toEqual([read.id]);
      const ofPrinter = await ids("--device", "Printer", "--status", "completed");
      expect(ofPrinter.slice(0, 2)).toEqual([read.id, first.id]);
      expect(await ids("--to", first.createdAt)).not.toContain(first.id);
      expect(await ids("--from", read.createdAt)).toEqual([read.id]);
      expect((await box("command list --status failed")).out).toBe("There are none.\n");
      for (const wrong of [
        "--limit 0",
        "--limit 101",
        "--type sale",
        "--from noon",
        "--from 2026-01-02T00:00Z --to 2026-01-01T00:00Z",
        "--device B",
      ]) {
        const refused = await box("command list", ...wrong.split(" "));
        expect([wrong, refused.code, refused.out]).toEqual([wrong, 2, ""]);
      }
    }));

  test.concurrent("shows a printed receipt in words", () =>
    inShop(async (world, box) => {
      const { id } = await sell(world);
      const { out, code } = await box("command show", id);
      expect(code).toBe(0);
      for (const row of [
        `Command       ${id}`,
        "Type          print_receipt",
        "Printer       Printer",
        "Status        completed",
        "Document      3 lines, 17.27 RON, card 10.00, cash 7.27",
        "Items         Bread, Cheese, Bag",
        "Sale number   DT123456-0001-0000001",
        "Sent by       API key Till 1",
        "Outcome       printed",
      ]) {
        expect(out.split("\n")).toContain(row);
      }
      expect(JSON.parse((await box("command show --json", id)).out)).toMatchObject({
        ...{ id, status: "completed", mark: "committing" },
      });
      const settled = await box("command resolve", id, "printed");
      expect([settled.code, settled.err]).toEqual([
        2,
        `fiscald: there is nothing to settle: the end of ${id} is known: completed\n`,
      ]);
      const other = await box("command show cmd_1");
      expect([other.code, other.err]).toEqual([
        2,
        "fiscald: there is no command cmd_1: fiscald command list shows them\n",
      ]);
    }));

  test.concurrent("says what a receipt waits for that stands half printed", () =>
    inShop(async (world, box) => {
      await quieten(world);
      await world.printer.fault({ kind: "paper_out", mode: "refused", at: 4 });
      const { id } = await submitSale(world);
      await untilAlert(world, "paper_out");
      const waiting = await box("command show", id);
      expect(one(waiting.out)).toContain("The printer: The paper has run out: load a new roll");
      await world.printer.clear();
      await world.till.wait(id);
      expect((await box("command show", id)).out).not.toContain("paper");
    }));

  test.concurrent("tells whom to ask about a receipt nobody knows of, and takes the answer", () =>
    inShop(async (world, box) => {
      const { id } = await makeUnknown(world, "x");
      const waiting = await submitSale(world);
      const status = await box("status");
      expect(status.code).toBe(1);
      expect(status.out).toMatch(new RegExp(`    \\S.* command show ${id} --state-dir `));
      expect((await box("command list")).out).toMatch(new RegExp(`${id} {2}unknown `));
      const open = await box("command open");
      expect(open.out).toMatch(new RegExp(`^COMMAND .*\n${id} {2}Printer {2}\\S+ +\\d\\d-`));
      expect(JSON.parse((await box("command open --json")).out)).toMatchObject([{ commandId: id }]);
      const { out } = await box("command show", id);
      expect(one(out)).toContain("Outcome unknown: a person has to say");
      expect(one(out)).toContain("payment was about to be sent, so the printer may have");
      expect(one(out)).toContain("Error E102 ConnectionLost: ");
      expect(out).toMatch(new RegExp(` command resolve ${id} printed --fiscal-id NUMBER `));
      const surplus = await box("command resolve --fiscal-id 7", id, "not_printed");
      expect([surplus.code, surplus.out]).toEqual([2, ""]);

      const ends = await endsIn(world);
      const far = await box("command resolve --fiscal-id 4000000", id, "printed");
      const [, reached = ""] = /had reached number (\d+) when/.exec(far.err) ?? [];
      expect([far.code, far.out, reached]).toEqual([2, "", expect.stringMatching(/\d/)]);
      const said = await box(`command resolve --fiscal-id ${reached}`, id, "printed");
      expect([said.code, said.out]).toEqual([
        0,
        `${id} was printed; what waits for it on Printer goes on\n`,
      ]);
      expect((await world.till.wait(waiting.id)).status).toBe("completed");
      // That one alone: what a person says of a command that ended is no end.
      expect(await endsIn(world)).toBe(ends + 1);
      const after = (await box("command show", id)).out;
      expect(after).toContain(
        `Outcome       printed, as a person said\nNumber        ${reached}\n`,
      );
      expect(after).not.toContain("command resolve");
      expect(one(after)).toContain("the till must not send it again");
      expect((await box("command list")).out).toMatch(new RegExp(`${id} {2}printed `));
      const again = await box("command resolve", id, "not_printed");
      expect([again.code, again.err]).toEqual([
        2,
        `fiscald: ${id}: It was settled before, as printed, and stays so. If that was wrong, sell it ` +
          "again; the day then differs by it from the printer's\n",
      ]);
    }));
});

test.concurrent("fiscald plan shows what is in use, and what is picked counts at once", () =>
  inShop(async (world, box) => {
    expect((await box("plan")).out).toBe(
      "plan      enterprise\nprinters  1 of any number\nAPI keys  1 of any number\n",
    );
    const { out, code } = await box("plan free");
    expect(code).toBe(0);
    expect(out).toStartWith("plan      free\nprinters  1 of 2\nAPI keys  1 of 0\n");
    expect(out).toContain("All of them go on working; no more can be added.\n");
    expect(JSON.parse((await box("plan --json")).out)).toMatchObject({ plan: "free" });
    const owner = { authorization: `Bearer ${world.ownerToken}` };
    const seen = await until("the plan", async () => {
      const answer = await world.till.call<{ plan: string }>("GET", "/billing", {
        headers: owner,
      });
      return answer.body.plan === "free" && answer;
    });
    expect(seen.status).toBe(200);
    expect((await box("plan gold")).code).toBe(2);
  }));

test.concurrent("fiscald device accept ends what an unknown document holds, beside the gateway", () =>
  inShop(async (world, box) => {
    await sell(world);
    const refused = await box("device accept", world.deviceId);
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining("There is nothing to accept"),
    ]);
    await world.killGateway();
    await sellByOtherHost(world, "x", "closed");
    await world.restartGateway(["--printers-when-ahead=hold"]);
    await untilAlert(world, "state_restored");
    const { id } = await submitSale(world);
    const accept = `device accept ${world.deviceId} --state-dir`;
    expect((await box("status")).out).toContain(accept);
    expect((await box("alert list")).out).toContain(accept);
    const { out, code } = await box("device accept", world.deviceId);
    expect([code, one(out)]).toEqual([0, expect.stringMatching(/^accepted: .* 1 that waited /)]);
    expect(out).toContain(`command show ${id} --state-dir`);
    await untilNoAlert(world, "state_restored");
    expect((await box("command resolve", id, "not_printed")).code).toBe(0);
    expect(endOf(await sell(world))).toEqual(COMPLETED);
  }));
