/** Printers that the gateway itself simulates, in the executable and over HTTP alone. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DRIVER_IDS } from "#core/driver-id.ts";
import { Box } from "./harness/box.ts";
import {
  ApiClient,
  type Gateway,
  isFinal,
  registerShop,
  type Shop,
  type ShownCommand,
  startGateway,
} from "./harness/gateway.ts";
import { NO_POLLING } from "./harness/premises.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";
import { startPrinter } from "./harness/simulator.ts";
import { until } from "./harness/until.ts";

interface ShownDevice {
  readonly id: string;
  readonly orgId: string;
  readonly simulated: boolean;
  readonly transport: string;
  readonly connectionParams: Readonly<Record<string, unknown>>;
  readonly serialNumber: string | null;
  readonly effectiveStatus: string;
}
interface ShownReceipt {
  readonly id: string;
  readonly deviceId: string;
  readonly fiscalId: string;
  readonly simulated: boolean;
}

const box = new Box();
/** So long that the way to a socket in it is longer than sockets may have. */
const stateDir = join(box.folder, "a".repeat(60), "b".repeat(60));
const folder = join(stateDir, "simulated");
let gateway: Gateway;
let shop: Shop;

const start = async (): Promise<void> => {
  const args = [NO_POLLING, "--auth-registration=open"];
  gateway = box.keep(await startGateway(stateDir, { args }));
};
/** The same people at the gateway as it runs now. */
const owner = () => new ApiClient(gateway.url, shop.owner.credential);
const till = () => new ApiClient(gateway.url, shop.key);

beforeAll(async () => {
  await start();
  shop = await registerShop(gateway.url);
});
afterEach(async () => {
  for (const { id } of await till().expect<ShownDevice[]>("GET", "/devices")) {
    await owner().expect("DELETE", `/devices/${id}`);
  }
});
afterAll(() => box.clear());

const simulate = (driver = "vendorA.isl", model?: string) =>
  owner().expect<ShownDevice>("POST", "/devices/simulated", {
    ...{ name: `Training ${driver}`, driver, model, locationId: "shop" },
  });

const item = (name: string) => ({ name, quantity: 1, price: 1, vatGroup: "VAT2" });
let sales = 0;
const saleOf = (...names: string[]) => ({
  uniqueSaleNumber: `DT000600-0001-${String(++sales).padStart(7, "0")}`,
  items: names.map(item),
  payments: [{ method: "cash", amount: names.length }],
});

async function sell(deviceId: string, ...names: string[]): Promise<ShownCommand> {
  return till().wait((await till().submit(deviceId, "print_receipt", saleOf(...names))).id);
}

async function paperOf(deviceId: string, query = "?format=text", headers = {}) {
  const answer = await fetch(`${gateway.url}/api/v1/devices/${deviceId}/paper${query}`, {
    headers: { authorization: `Bearer ${shop.owner.credential}`, ...headers },
  });
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    text: await answer.text(),
  };
}

const pidOfPrinters = () => Number(readFileSync(join(folder, "fiscald.pid"), "utf8"));
const booksLeft = () => readdirSync(folder).filter((file) => file.startsWith("dev_"));
/** False for one that has ended, also while nobody has taken notice of that. */
const isRunning = (pid: number) => existsSync(`/proc/${pid}/fd/0`);

async function atBox(orgId: string, ...words: string[]): Promise<string> {
  const command = [await executable(), "device", ...words, "--org", orgId, "--state-dir", stateDir];
  const { out, err, code } = await runToEnd(command);
  expect([code, err]).toEqual([0, ""]);
  return out;
}

const receiptsOf = async (query: string) =>
  (await till().expect<{ receipts: ShownReceipt[] }>("GET", `/receipts${query}`)).receipts;
const faultsOf = (deviceId: string) => `/devices/${deviceId}/faults`;
const statusOf = (deviceId: string) =>
  till().expect<{ paper: string }>("GET", `/devices/${deviceId}/live-status`);

describe("a simulated printer", () => {
  test("prints a sale on paper that says it is none, and stands in no list that does not ask", async () => {
    const device = await simulate();
    expect(device).toMatchObject({
      ...{ simulated: true, transport: "simulated", connectionParams: { address: device.id } },
    });
    const command = await sell(device.id, "Cherries");
    expect(command).toMatchObject({ status: "completed", simulated: true });
    const { text, type } = await paperOf(device.id);
    expect(type).toBe("text/plain; charset=utf-8");
    expect(text).toContain("Cherries");
    expect(text.match(/SIMULATED/g)).toHaveLength(3);
    expect(text).toContain("НЕ Е ФИСКАЛЕН ДОКУМЕНТ");
    expect(text).not.toContain("ФИСКАЛЕН БОН");
    const picture = await paperOf(device.id, "", { accept: "text/html,image/svg+xml,*/*" });
    expect([picture.type, picture.text.slice(0, 4)]).toEqual([
      "image/svg+xml; charset=utf-8",
      "<svg",
    ]);
    expect((await paperOf(device.id, "", { accept: "text/plain" })).text).toBe(text);
    expect(await receiptsOf("")).toEqual([]);
    const asked = await receiptsOf("?simulated=true");
    expect(asked).toMatchObject([{ deviceId: device.id, simulated: true }]);
    expect(await receiptsOf(`?deviceId=${device.id}`)).toEqual(asked);
  });

  test("is sold on, reports and is added up as any other, where it is asked for", async () => {
    const device = await simulate("vendorE.zfp");
    await sell(device.id, "Plums", "Pears");
    const report = await till().expect("POST", `/devices/${device.id}/reports/z`, {});
    expect(report).toMatchObject({ report: { totals: { gross: 2 } } });
    const day = "from=2020-01-01T00:00:00Z&to=2020-12-31T00:00:00Z".replaceAll(
      "2020",
      String(new Date().getUTCFullYear()),
    );
    const grossOf = async (query: string) => {
      const path = `/reports/summary?${day}&by=device${query}`;
      const { totals } = await till().expect<{ totals: { gross: number }[] }>("GET", path);
      return totals.map(({ gross }) => gross);
    };
    expect(await grossOf("")).toEqual([0]);
    expect(await grossOf(`&deviceId=${device.id}`)).toEqual([2]);
    const [trained = 0] = await grossOf("&simulated=true");
    expect(trained).toBeGreaterThanOrEqual(2);
    const reports = (query: string) =>
      till().expect<{ reports: unknown[] }>("GET", `/reports${query}`);
    expect(await reports("")).toMatchObject({ reports: [] });
    const shown = { deviceId: device.id, type: "z_report", simulated: true };
    expect(await reports("?simulated=true")).toMatchObject({ reports: [shown] });
    const daily = (query: string) =>
      till().expect<{ devices: { deviceId: string }[] }>("GET", `/reports/daily${query}`);
    const rows = async (query: string) => (await daily(query)).devices.map((row) => row.deviceId);
    expect(await rows("")).toEqual([]);
    expect(await rows("?simulated=true")).toContain(device.id);
    const csv = async (query: string) => {
      const path = `${gateway.url}/api/v1/receipts/export${query}`;
      const answer = await fetch(path, { headers: { authorization: `Bearer ${shop.key}` } });
      return (await answer.text()).trimEnd().split("\r\n");
    };
    expect(await csv("")).toEqual([expect.stringMatching(/,simulated,signedTotal$/)]);
    expect((await csv("?simulated=true")).length).toBeGreaterThan(1);
    const journal = await till().call("GET", `/reports/journal?deviceId=${device.id}`);
    expect(journal.status).toBe(409);
  });

  test.each(DRIVER_IDS)("of %s prints on paper that says so", async (driver) => {
    const { id } = await simulate(driver);
    const command = await sell(id, "Grapes");
    expect(command).toMatchObject({ status: "completed", simulated: true });
    const { text } = await paperOf(id);
    expect(text).toContain("Grapes");
    expect(text.match(/SIMULATED/g)).toHaveLength(3);
  });

  test("runs out of paper, says so, and prints on when the faults are taken back", async () => {
    const { id } = await simulate();
    await until("the printer to be on", async () => {
      const device = await till().expect<ShownDevice>("GET", `/devices/${id}`);
      return device.effectiveStatus === "online";
    });
    await owner().expect("POST", faultsOf(id), { kind: "paper_out" });
    expect(await statusOf(id)).toMatchObject({ paper: "out" });
    expect(await sell(id, "Figs")).toMatchObject({
      status: "failed",
      result: { errorCode: "E306" },
    });
    await owner().expect("DELETE", faultsOf(id));
    expect(await statusOf(id)).toMatchObject({ paper: "ok" });
    expect(await sell(id, "Figs")).toMatchObject({ status: "completed" });
  });

  test("takes every kind of fault, and names what is wrong with one", async () => {
    const { id } = await simulate();
    const wrong = async (body: unknown) => {
      const answer = await owner().call<{ error: { details: { path: string }[] } }>(
        ...(["POST", faultsOf(id), { body }] as const),
      );
      return [answer.status, answer.body.error.details.map(({ path }) => path)];
    };
    expect(await wrong({ kind: "flood" })).toEqual([400, ["kind"]]);
    expect(await wrong({ kind: "delay" })).toEqual([400, ["ms"]]);
    expect(await wrong({ kind: "silent", at: 0 })).toEqual([400, ["at"]]);
    await owner().expect("POST", faultsOf(id), { kind: "garble", at: 5, ms: "ignored" });
    await owner().expect("DELETE", faultsOf(id));
  });

  test("is of the model that is named, and stays so", async () => {
    const { id, ...device } = await simulate("vendorA.isl", "ro-x");
    expect(device).toMatchObject({ connectionParams: { address: id, model: "ro-x" } });
    const { result } = await sell(id, "Plums");
    await gateway.stop();
    await start();
    expect((await paperOf(id)).text).toContain("Plums");
    // Others of the driver have a storno.
    const voiding = await till().submit(id, "void_receipt", { receiptId: result?.fiscalId });
    expect((await till().wait(voiding.id)).result).toMatchObject({
      ...{ errorCode: "E201", errorMessage: expect.stringContaining("Romania have no storno") },
    });
  });

  test.each([
    ["custom.serial", "gen3", { status: "completed" }],
    ["vendorE.zfp", "v1", { status: "completed" }],
    ["vendorA.isl", "ro-x", { status: "failed", result: { errorCode: "E201" } }],
  ])("of %s %s reverses a sale without a unique sale number, or says why not", async (...kind) => {
    const [driver, model, end] = kind;
    const { id } = await simulate(driver, model);
    const { uniqueSaleNumber: _, ...sale } = saleOf("Pears");
    await till().wait((await till().submit(id, "print_receipt", sale)).id);
    const [receipt] = await receiptsOf(`?deviceId=${id}`);
    const path = `/receipts/${receipt?.id}/storno`;
    const { command } = await owner().expect<{ command: ShownCommand }>("POST", path, {
      reason: "refund",
    });
    expect(await till().wait(command.id)).toMatchObject(end);
    expect(await receiptsOf(`?deviceId=${id}&type=storno`)).toMatchObject(
      end.status === "completed"
        ? [{ originalReceiptId: receipt?.id, uniqueSaleNumber: null }]
        : [],
    );
  });

  test.each([
    ["vendorA.isl", "FP-700X", "Expected one of: x, ro-x, p, c, c-fw3, ro-legacy"],
    ["vendorB.isl", "x", "Expected one of: dy"],
  ])("of %s is no %s", async (driver, model, message) => {
    const body = { name: "Training", driver, model, locationId: "shop" };
    const refused = await owner().call("POST", "/devices/simulated", { body });
    expect(refused).toMatchObject({
      ...{ status: 400, body: { error: { details: [{ path: "model", message }] } } },
    });
  });

  test("that never answers is reached by the profile of its model", async () => {
    const { id, connectionParams } = await simulate("custom.serial", "xonxoff");
    expect(connectionParams).toEqual({
      ...{ address: id, model: "xonxoff", profile: "custom-xonxoff" },
    });
    const { result } = await sell(id, "Figs");
    expect(result).toMatchObject({ errorCode: "E102", data: { outcome: "unknown" } });
    expect((await paperOf(id)).text).toContain("Figs");
  });

  test("is counted by no plan, of which there are so many", async () => {
    for (let count = 0; count < 10; count += 1) await simulate("custom.serial");
    const body = { name: "One more", driver: "vendorA.isl", locationId: "shop" };
    const refused = await owner().call("POST", "/devices/simulated", { body });
    expect(refused.status).toBe(409);
    const usage = { devices: 0 };
    expect(await owner().expect("GET", "/billing")).toMatchObject({ usage });
    // It allows two printers.
    await owner().expect("PUT", "/billing/plan", { plan: "free" });
    await till().expect("POST", "/devices", {
      ...{ ...body, transport: "tcp", connectionParams: { host: "127.0.0.1", port: 9 } },
    });
    await owner().expect("PUT", "/billing/plan", { plan: "enterprise" });
  });

  test("has no address: none can be registered there, and it never gets another", async () => {
    const device = await simulate();
    const { id } = device;
    const body = { ...device, name: "Real" };
    expect((await till().call("POST", "/devices", { body })).status).toBe(400);
    for (const change of [
      { connectionParams: { host: "127.0.0.1", port: 9100 } },
      { connectionParams: { address: "/dev/ttyUSB0" } },
      { managedBy: "remote" },
    ]) {
      expect((await till().call("PATCH", `/devices/${id}`, { body: change })).status).toBe(409);
    }
    const release = { body: { controllerId: "builtin" } };
    expect((await till().call("POST", `/devices/${id}/release`, release)).status).toBe(409);
    const named = await till().expect("PATCH", `/devices/${id}`, { name: "Corner" });
    expect(named).toMatchObject({ name: "Corner", simulated: true, transport: "simulated" });
    const socket = join(folder, `${id}.sock`);
    const at = { body: { transport: "serial", address: socket } };
    const search = await till().call<{ found: unknown[] }>("POST", "/devices/detect", at);
    expect(search.body.found).toEqual([]);
  });

  test("has nothing to do with a real printer of the same numbers", async () => {
    const device = await simulate();
    await sell(device.id, "Nuts");
    const { serialNumber } = await till().expect<ShownDevice>("GET", `/devices/${device.id}`);
    const number = String(serialNumber).slice(-6);
    const printer = box.keep(
      await startPrinter({
        stateFile: join(box.folder, "real.state"),
        place: { host: "127.0.0.1", port: 0, number },
      }),
    );
    const { host, port } = printer;
    const real = await till().expect<ShownDevice>("POST", "/devices", {
      ...{ name: "Real", driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
      connectionParams: { host, port },
    });
    expect(await sell(real.id, "Nuts")).toMatchObject({ status: "completed", simulated: false });
    const registered = await till().expect<ShownDevice>("GET", `/devices/${real.id}`);
    expect(registered).toMatchObject({ serialNumber, simulated: false });
    expect(await receiptsOf("")).toMatchObject([{ deviceId: real.id, simulated: false }]);
    const paper = await owner().call("GET", `/devices/${real.id}/paper`);
    expect(paper.status).toBe(409);
  });

  test("is nothing that a stranger sees, or a key or an operator may make", async () => {
    const { id } = await simulate();
    const { accessToken } = await new ApiClient(gateway.url).expect<{ accessToken: string }>(
      ...(["POST", "/auth/register"] as const),
      {
        ...{ email: "stranger@other.example", password: "a long password", name: "Eve" },
        organizationName: "Other",
      },
    );
    const stranger = new ApiClient(gateway.url, accessToken);
    expect(await stranger.expect<ShownDevice[]>("GET", "/devices")).toEqual([]);
    for (const [method, path] of [
      ["GET", `/devices/${id}`],
      ["GET", `/devices/${id}/paper`],
      ["POST", faultsOf(id)],
      ["DELETE", faultsOf(id)],
      ["DELETE", `/devices/${id}`],
    ] as const) {
      const body = method === "POST" ? { body: { kind: "paper_out" } } : {};
      expect([path, (await stranger.call(method, path, body)).status]).toEqual([path, 404]);
    }
    expect(await stranger.expect("GET", "/receipts?simulated=true")).toMatchObject({
      receipts: [],
    });
    const body = { name: "By key", driver: "vendorA.isl", locationId: "shop" };
    expect((await till().call("POST", "/devices/simulated", { body })).status).toBe(403);
    expect((await till().call("GET", `/devices/${id}/paper`)).status).toBe(403);
    // Its memory would go with it.
    expect((await till().call("DELETE", `/devices/${id}`)).status).toBe(403);
    expect(await owner().expect("GET", `/devices/${id}`)).toMatchObject({ id });
  });

  test("leaves nothing behind when it is deleted but the receipts, which say what they are", async () => {
    const { id } = await simulate();
    await sell(id, "Dates");
    const own = () => readdirSync(folder).filter((file) => file.startsWith(id));
    expect(own().length).toBe(2);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await owner().expect("DELETE", `/devices/${id}`);
    await until("its files to go", () => own().length === 0);
    expect(await receiptsOf(`?deviceId=${id}`)).toMatchObject([{ simulated: true }]);
    expect(await receiptsOf("")).not.toContainEqual(expect.objectContaining({ deviceId: id }));
  });

  test("is removed at the box too, and with the last one goes their process", async () => {
    const { id, orgId } = await simulate();
    await sell(id, "Limes");
    const pid = pidOfPrinters();
    const listed = await atBox(orgId, "list");
    expect(listed).toContain(" simulated ");
    expect(await atBox(orgId, "remove", id)).toContain(`removed ${id}`);
    await until("the process to be gone", () => !isRunning(pid));
    expect(booksLeft()).toEqual([]);
  });

  test("is removed at the box while no gateway runs: the next one removes its memory", async () => {
    const { id, orgId } = await simulate();
    await sell(id, "Lemons");
    await gateway.stop();
    expect(await atBox(orgId, "remove", id)).toContain(`removed ${id}`);
    expect(booksLeft()).not.toEqual([]);
    await start();
    expect(booksLeft()).toEqual([]);
  });
});

describe("whatever becomes of the processes", () => {
  test("the gateway killed in a receipt: printed once, or not at all and said so", async () => {
    const { id } = await simulate();
    const names = Array.from({ length: 40 }, (_, index) => `Line ${index}`);
    // Within the lines: what comes before them takes fewer frames.
    await owner().expect("POST", faultsOf(id), { kind: "hold", at: 30 });
    const { id: commandId } = await till().submit(id, "print_receipt", saleOf(...names));
    const isOpen = async () => (await paperOf(id)).text.includes("(недовършен)");
    await until("the receipt to be under way", isOpen);
    await gateway.kill();
    await start();
    const command = await till().wait(commandId);
    expect(isFinal(command)).toBe(true);
    expect(command).toMatchObject({
      status: "failed",
      result: { data: { outcome: "not_printed" } },
    });
    expect((await paperOf(id)).text).toContain("* АНУЛИРАН *");
    expect(await receiptsOf(`?deviceId=${id}`)).toEqual([]);
    const again = await sell(id, ...names);
    expect(again).toMatchObject({ status: "completed" });
    expect(await receiptsOf(`?deviceId=${id}`)).toMatchObject([
      { fiscalId: again.result?.fiscalId },
    ]);
  });

  test("the gateway killed after one: the printer knows it, and the next has the next number", async () => {
    const { id } = await simulate();
    const first = await sell(id, "Tea");
    await gateway.kill();
    await start();
    expect((await paperOf(id)).text).toContain("Tea");
    const next = await sell(id, "Milk");
    expect(Number(next.result?.fiscalId)).toBe(Number(first.result?.fiscalId) + 1);
  });

  test("the printers killed: they are started again, and go on", async () => {
    const { id } = await simulate();
    const first = await sell(id, "Rice");
    const pid = pidOfPrinters();
    process.kill(pid, "SIGKILL");
    await until("the process to be gone", () => !isRunning(pid));
    const next = await sell(id, "Beans");
    expect(next).toMatchObject({ status: "completed" });
    expect(Number(next.result?.fiscalId)).toBe(Number(first.result?.fiscalId) + 1);
  });

  test("the printers killed: whoever asks at that moment is answered by the next ones", async () => {
    const { id } = await simulate();
    await sell(id, "Oats");
    for (let round = 0; round < 8; round += 1) {
      process.kill(pidOfPrinters(), "SIGKILL");
      const asked = Array.from({ length: 4 }, () => paperOf(id));
      const answers = await Promise.all(asked);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
  });

  test("the gateway asked to stop: no process is left", async () => {
    await sell((await simulate()).id, "Bread");
    const pid = pidOfPrinters();
    expect(await gateway.stop()).toBe(0);
    expect(isRunning(pid)).toBe(false);
    await start();
  });
});
