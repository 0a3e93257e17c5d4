import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { addShopLimits } from "../config/shop-limits.ts";
import { boxForEachTest } from "../e2e/harness/box-for-each-test.ts";
import { ApiClient, startGateway } from "../e2e/harness/gateway.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { startPrinter } from "../e2e/harness/simulator.ts";
import { Terminal } from "../e2e/harness/terminal.ts";
import { until } from "../e2e/harness/until.ts";
import { userName } from "../platform/user-name.ts";

const PASSWORD = "a long password";

const box = boxForEachTest();

const line = (...args: readonly string[]) => [box.program, ...args, "--state-dir", box.stateDir];
const run = (args: readonly string[], stdin = "") =>
  runToEnd(line(...args), { cwd: box.folder, stdin });
/** On a machine that runs on UTC, as nobody told it where it stands. */
const atTerminal = (...args: readonly string[]) =>
  box.keep(new Terminal(line(...args), box.folder, { TZ: "UTC" }));
const settingsFile = () => join(box.stateDir, "fiscald.toml");

const OWNER = ["--owner-name", "Ana", "--owner-email", "Ana@Shop.example", "--shop", "Corner Shop"];
const setUp = (...more: readonly string[]) =>
  run(["setup", ...OWNER, "--password-stdin", ...more], `${PASSWORD}\n`);
/** On a machine whose clock runs in a time zone. */
const setUpIn = (TZ: string, ...more: readonly string[]) =>
  runToEnd(line("setup", ...OWNER, "--password-stdin", "--json", ...more), {
    ...{ cwd: box.folder, env: { TZ }, stdin: `${PASSWORD}\n` },
  });

/** What `setup --json` says; only what tests look at. */
interface Told {
  readonly settings: { readonly change: string };
  readonly organization: Readonly<Record<string, string>>;
  readonly printers: readonly { readonly id: string; readonly name: string }[];
  readonly made: { readonly shop: boolean; readonly key: { readonly key: string } | null };
  readonly next: { readonly url: string; readonly steps: readonly { readonly lines: string[] }[] };
}
const told = (out: string): Told => JSON.parse(out);

describe("fiscald setup by options", () => {
  test("goes from nothing to a key and a printer, and its line prints a receipt", async () => {
    const printer = box.keep(await startPrinter({ stateFile: join(box.folder, "printer") }));
    const where = `${printer.host}:${printer.port}`;
    const options = [
      ...["--plan", "pro", "--key", "Till 1", "--printer", where, "--currency", "EUR"],
      ...["--timezone", "Europe/Sofia", "--json"],
    ];
    const { out, err, code } = await setUp(...options);
    expect([code, err]).toEqual([0, ""]);
    // As a script that is run again does: nothing is missing, and nothing is made.
    const repeated = await setUp(...options);
    expect([repeated.code, repeated.err]).toEqual([0, ""]);
    expect(told(repeated.out)).toMatchObject({
      made: { shop: false, deviceId: null, key: null },
      ...{ printers: [told(out).printers[0]], keys: [{ label: "Till 1" }] },
    });
    const { settings, organization, made, next } = told(out);
    expect(settings.change).toBe("written");
    expect(organization).toMatchObject({
      ...{ name: "Corner Shop", currency: "EUR", timezone: "Europe/Sofia", plan: "pro" },
    });
    expect(readFileSync(settingsFile(), "utf8")).toContain("\ncommandsMax = 10000\n");
    const open = readdirSync(box.stateDir).filter(
      (name) => statSync(join(box.stateDir, name)).mode & 0o077,
    );
    expect(open).toEqual([]);
    expect(next.url).toBe("http://localhost:8080");

    const gateway = box.keep(await startGateway(box.stateDir));
    const login = { email: "ana@shop.example", password: PASSWORD };
    const session = await new ApiClient(gateway.url).call("POST", "/auth/login", { body: login });
    expect(session.status).toBe(200);
    const again = await run(["setup", "--json"]);
    const key = made.key?.key ?? "";
    const curl = told(again.out).next.steps.at(-1)?.lines.join("\n") ?? "";
    expect(curl).toContain(`${gateway.url}/api/v1/commands`);
    expect(again.out).not.toContain(key);
    const keyLines = told(again.out).next.steps.flatMap((step) => step.lines);
    expect(keyLines.filter((text) => text.includes(" key create --label "))).toHaveLength(1);
    const script = curl.replace("THE-KEY-OF-THE-TILL", key);
    const sent = await runToEnd(["/bin/sh", "-c", script], { env: { PATH: "/usr/bin:/bin" } });
    expect(JSON.parse(sent.out)).toMatchObject({ command: { status: "pending" } });
    await until("the receipt", async () => (await printer.books()).receiptCount === 1);
    expect((await printer.books()).receipts).toMatchObject([{ total: 100 }]);
  });

  test("works beside a gateway that runs, which takes the printer over at once", async () => {
    const gateway = box.keep(await startGateway(box.stateDir));
    const printer = box.keep(await startPrinter({ stateFile: join(box.folder, "printer") }));
    const where = `${printer.host}:${printer.port}`;
    const driver = ["--printer-driver", "vendorA.isl", "--printer-name", "Counter"];
    const { out, code } = await setUp("--printer", where, ...driver, "--json");
    const { settings, made, next } = told(out);
    expect([code, settings.change, next.url]).toEqual([0, "none", gateway.url]);
    expect(made).toMatchObject({ shop: true, key: null });
    const lines = next.steps.flatMap((step) => step.lines);
    // The plan free has no key for a till; what is left is to pick another one.
    expect(lines.filter((text) => text.includes(" serve "))).toEqual([]);
    expect(lines.filter((text) => text.includes(" plan pro "))).toHaveLength(1);
    const status = await until("the printer", async () => {
      const ended = await run(["status"]);
      return /\nCounter +up /.test(ended.out) && ended;
    });
    expect([status.code, status.out]).toEqual([0, expect.stringMatching(/\nCounter {2}up {4}0 /)]);
    const refused = await run(["setup", "--key", "Till 1"]);
    expect([refused.code, refused.out.includes("svc_live_")]).toEqual([2, false]);
    expect(refused.err).toContain("plan free does not allow");
  });

  test("names every option that is missing, and makes nothing", async () => {
    const { out, err, code } = await run(["setup", "--owner-name", "Ana"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("give --owner-email, --password-stdin, --shop too");
    const wrong = await setUp("--currency", "leva");
    expect([wrong.code, wrong.err]).toEqual([
      2,
      "fiscald: --currency must be a currency code, such as EUR\n",
    ]);
    const astray = await setUp("--printer", "vendorA.isl@127.0.0.1:3999");
    expect([astray.code, astray.err]).toEqual([
      2,
      expect.stringContaining("--printer must be search, none, HOST[:PORT]"),
    ]);
    const short = await run(["setup", ...OWNER, "--password-stdin"], "short\n");
    expect([short.code, short.err]).toEqual([
      2,
      "fiscald: the password must be 10 to 128 characters\n",
    ]);
    expect(existsSync(box.stateDir)).toBe(false);
  });

  test("says what is there already, and goes on with what is missing", async () => {
    await setUp();
    const second = await run(["setup", "--plan", "pro", "--key", "Till 1"]);
    expect(second.code).toBe(0);
    const [there = "", made = ""] = second.out.split("New:");
    expect(there).toContain("There already:\n  shop      Corner Shop: RON, ");
    expect(there).toContain("owner     Ana, ana@shop.example");
    expect(there).not.toContain("API key");
    expect(made).toMatch(/API key {3}Till 1, ends in [0-9a-f]{4}\n/);
    expect(made).toMatch(/shown only now:\n {2}svc_live_[0-9a-z]{12}_[0-9a-f]{32}\n/);
    expect(second.err).toBe("");
    const same = ["--owner-name", "Ana", "--owner-email", "ANA@shop.example", "--currency", "ron"];
    const third = await run(["setup", ...same, "--shop", "Other Shop", "--timezone", "Asia/Tokyo"]);
    expect([third.code, third.err]).toEqual([
      0,
      "fiscald: the shop is there already and stays as it is, without --shop, --timezone: the portal changes it\n",
    ]);
    expect(third.out).not.toContain("New:");
    expect(third.out).not.toContain("svc_live_");
    for (const { out } of [second, third]) {
      // Lines to be pasted are as long as their paths.
      const rows = out.split("\n").filter((row) => !row.includes("--state-dir"));
      for (const row of rows) expect(row.length).toBeLessThanOrEqual(80);
    }
  });

  test("names who has to run the next command where somebody else set it up with sudo", async () => {
    const { out } = await runToEnd(line("setup", ...OWNER, "--password-stdin"), {
      ...{ cwd: box.folder, env: { SUDO_USER: "ann" }, stdin: `${PASSWORD}\n` },
    });
    const as = userName() === "root" ? "" : ` -u ${userName()}`;
    expect(out).toContain(`\n   sudo${as} `);
    expect((await run(["setup"])).out).not.toContain("sudo");
  });

  test("keeps a settings file that is there, and adds the limits it lacks", async () => {
    await setUp();
    const mine = "# mine\n[limits]\ncommandsMax = 7 # few\n";
    await Bun.write(settingsFile(), mine);
    const { out } = await run(["setup"]);
    expect(out).toContain(`added to ${settingsFile()}`);
    const text = readFileSync(settingsFile(), "utf8");
    for (const kept of mine.trim().split("\n")) expect(text).toContain(kept);
    expect(addShopLimits(settingsFile()).added).toEqual([]);
    expect((await run(["setup"])).out).not.toContain("settings");
  });

  test("puts a database back that was lost, as a start does, and makes none beside its copy", async () => {
    await setUp("--plan", "pro");
    const database = join(box.stateDir, "fiscald.db");
    renameSync(database, `${database}.rescued`);
    const { out, code } = await run(["setup"]);
    expect(code).toBe(0);
    expect(out).toContain("There already:\n  shop      Corner Shop: ");
    expect(readdirSync(box.stateDir).filter((name) => name.includes("rescued"))).toEqual([]);
  });

  test("begins anew where the state was removed, without taking that for a copy put back", async () => {
    await setUp();
    await box.keep(await startGateway(box.stateDir)).stop();
    await box.keep(await startGateway(box.stateDir)).stop();
    rmSync(box.stateDir, { recursive: true });
    const printer = box.keep(await startPrinter({ stateFile: join(box.folder, "printer") }));
    const where = `${printer.host}:${printer.port}`;
    await setUp("--printer", where, "--printer-driver", "vendorA.isl");
    const gateway = box.keep(await startGateway(box.stateDir));
    expect(gateway.output()).not.toContain("put back from a copy");
  });

  test("ends with 1 where the printer is not found, with everything else done", async () => {
    const { out, err, code } = await setUp("--printer", "127.0.0.1:1");
    expect(code).toBe(1);
    expect(out).toContain("shop      Corner Shop");
    expect(err).toContain("no printer was registered:\n  127.0.0.1:1: ");
    expect(err).toContain("\n  Switch the printer on, check its network cable");
  });

  test("takes zone and currency of the machine, and says what it had to guess on UTC", async () => {
    const sofia = await setUpIn("Europe/Sofia");
    expect([sofia.code, sofia.err]).toEqual([0, ""]);
    expect(told(sofia.out).organization).toMatchObject({
      ...{ currency: "EUR", timezone: "Europe/Sofia" },
    });
    rmSync(box.stateDir, { recursive: true });
    const nowhere = await setUpIn("UTC");
    expect(nowhere.code).toBe(0);
    expect(nowhere.err).toContain(
      "runs on UTC, so the shop got the time zone Europe/Bucharest, currency RON: change them in the portal",
    );
    rmSync(box.stateDir, { recursive: true });
    const inEuro = await setUpIn("UTC", "--currency", "eur");
    expect(told(inEuro.out).organization).toMatchObject({ timezone: "Europe/Sofia" });
    rmSync(box.stateDir, { recursive: true });
    const named = await setUpIn("UTC", "--timezone", "Europe/Chisinau");
    expect([named.code, named.err]).toEqual([0, ""]);
    expect(told(named.out).organization).toMatchObject({ currency: "MDL" });
  });
});

describe("fiscald setup at a terminal", () => {
  test("asks one by one, again what it cannot take, and never shows the password", async () => {
    const printer = box.keep(await startPrinter({ stateFile: join(box.folder, "printer") }));
    const terminal = atTerminal("setup");
    await terminal.answers("Your name: ", "Ana");
    await terminal.answers("to log in with: ", "nobody");
    await terminal.sees("Please type an e-mail address");
    await terminal.answers("to log in with: ", "ana@shop.example");
    await terminal.answers("at least 10 characters: ", "short");
    await terminal.sees("Please type 10 to 128 characters");
    await terminal.answers("at least 10 characters: ", PASSWORD);
    await terminal.answers("The same again: ", "another password");
    await terminal.sees("not the same");
    await terminal.answers("at least 10 characters: ", PASSWORD);
    await terminal.answers("The same again: ", PASSWORD);
    await terminal.answers("Name of the shop: ", "Corner Shop");
    await terminal.sees("2  Bulgaria (Europe/Sofia)");
    await terminal.answers("Which [1]: ", "Mars/Base");
    await terminal.sees("Please type a number from 1 to 3, or the name of a time zone");
    await terminal.answers("Which [1]: ", "");
    await terminal.answers("Currency [RON]: ", "eur");
    await terminal.sees("2  pro         10 printers, API keys");
    await terminal.answers("Which [2]: ", "");
    await terminal.answers("Which [1]: ", "2");
    await terminal.answers("in the network", `${printer.host}:${printer.port}`);
    await terminal.sees(`${printer.host}:${printer.port}`);
    await terminal.answers("Which [1]: ", "");
    await terminal.answers("What to call it [", "Counter");
    await terminal.answers("Where it stands [shop]: ", "");
    await terminal.answers("its name, or none [Till 1]: ", "");
    await terminal.sees("shown only now");
    expect(await terminal.exited).toBe(0);
    expect(terminal.shown).not.toContain(PASSWORD);
    expect(terminal.shown).not.toContain("another password");
    const { organization, printers } = told((await run(["setup", "--json"])).out);
    expect(organization).toMatchObject({ currency: "EUR", plan: "pro" });
    expect(printers).toMatchObject([{ name: "Counter" }]);
  });

  test("takes maker and address by hand, and later as an answer", async () => {
    await setUp("--plan", "pro");
    const terminal = atTerminal("setup", "--key", "none");
    await terminal.answers("Which [1]: ", "3");
    await terminal.sees("2  Daisy (vendorB.isl)");
    await terminal.answers("Which [1]: ", "2");
    await terminal.answers("Its address", "10.0.0.9");
    await terminal.sees("Please type an address");
    await terminal.answers("Its address", "10.0.0.9:4999");
    await terminal.answers("What to call it [Printer]: ", "Bar");
    await terminal.answers("Where it stands [shop]: ", "bar");
    await terminal.sees("printer   Bar: vendorB.isl at 10.0.0.9:4999");
    expect(await terminal.exited).toBe(0);
  });

  test("takes an address where it offers numbers, and says what to do when it finds nothing", async () => {
    const printer = box.keep(await startPrinter({ stateFile: join(box.folder, "printer") }));
    await setUp("--plan", "pro");
    const terminal = atTerminal("setup", "--key", "none");
    await terminal.answers("Which [1]: ", "9");
    await terminal.sees(
      "Please type a number from 1 to 5, or an address such as 192.168.1.50:3999",
    );
    await terminal.answers("Which [1]: ", "127.0.0.1:1");
    await terminal.sees("No printer was found:\n  127.0.0.1:1: ");
    await terminal.sees("Switch the printer on, check its network cable");
    await terminal.answers("Which [1]: ", "/dev/nowhere");
    await terminal.sees("No printer was found:\n  /dev/nowhere: ");
    await terminal.answers("Which [1]: ", `${printer.host}:${printer.port}`);
    await terminal.sees("Found");
    await terminal.answers("Which [1]: ", "");
    await terminal.answers("What to call it [", "Counter");
    await terminal.answers("Where it stands [shop]: ", "");
    await terminal.sees("printer   Counter: vendorA.isl");
    expect(await terminal.exited).toBe(0);
  });

  test("goes on with a simulated printer, and says that its receipts count for nothing", async () => {
    await setUp("--plan", "pro");
    const terminal = atTerminal("setup", "--key", "Till 1");
    await terminal.answers("Which [1]: ", "4");
    await terminal.answers("Which [1]: ", "");
    await terminal.answers("What to call it [Simulated printer]: ", "");
    await terminal.answers("Where it stands [shop]: ", "");
    await terminal.sees("Print the first receipt over 1.00, which counts for nothing");
    expect(await terminal.exited).toBe(0);
  });

  test("offers the zone of the currency on a machine that knows none", async () => {
    const terminal = atTerminal("setup", ...OWNER, "--currency", "RON", "--plan", "free");
    await terminal.answers("at least 10 characters: ", PASSWORD);
    await terminal.answers("The same again: ", PASSWORD);
    await terminal.answers("Time zone, such as Europe/Sofia [Europe/Bucharest]: ", "");
    await terminal.answers("Which [1]: ", "5");
    expect(await terminal.exited).toBe(0);
    const { organization } = told((await run(["setup", "--json"])).out);
    expect(organization).toMatchObject({ currency: "RON", timezone: "Europe/Bucharest" });
  });

  test("ends when the person gives up, and keeps what was done", async () => {
    const terminal = atTerminal("setup", ...OWNER);
    await terminal.sees("at least 10 characters: ");
    terminal.press("\u0003");
    await terminal.sees("stopped; what was done stays");
    expect(await terminal.exited).toBe(2);
    expect(existsSync(settingsFile())).toBe(true);
  });

  test("can be given up in the midst of a search", async () => {
    await setUp();
    const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    try {
      const terminal = atTerminal(
        "setup",
        "--plan",
        "free",
        "--printer",
        `127.0.0.1:${silent.port}`,
      );
      await terminal.sees("1/");
      terminal.press("\u0003");
      await terminal.sees("no printer was registered");
      expect(await terminal.exited).toBe(1);
    } finally {
      silent.stop(true);
    }
  });

  test("asks nothing with --no-ask", async () => {
    const terminal = atTerminal("setup", "--no-ask");
    await terminal.sees("nobody is at a terminal to be asked");
    expect(await terminal.exited).toBe(2);
  });
});
