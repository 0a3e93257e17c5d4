/** `simulate --all` beside a gateway: what it says is pasted, and each device prints a receipt. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { DRIVERS } from "#drivers/registry.ts";
import { SIMULATORS } from "#drivers/simulator/registry.ts";
import { type Gateway, registerShop, type Shop, startGateway } from "./harness/gateway.ts";
import { ownHost } from "./harness/own-host.ts";
import { type Running, startProduct } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";

const SALE = {
  uniqueSaleNumber: "DT000600-0001-0000001",
  items: [{ name: "Coffee", quantity: 2, price: 1.25, vatGroup: "VAT2" }],
  payments: [{ method: "cash", amount: 2.5 }],
};

interface Simulated {
  readonly driver: string;
  readonly control: string;
}

interface Registered {
  readonly id: string;
  readonly driver: string;
  readonly connectionParams: unknown;
}

let folder: string;
let simulators: Running;
let gateway: Gateway;
let shop: Shop;
let stateDir: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-all-"));
  stateDir = join(folder, "gateway");
  [simulators, gateway] = await Promise.all([
    startProduct(["simulate", "--all", `--state=${join(folder, "devices")}`], "simulating"),
    startGateway(stateDir),
  ]);
  shop = await registerShop(gateway.url);
});
afterAll(async () => {
  await Promise.all([simulators?.kill(), gateway?.kill()]);
  rmSync(folder, { recursive: true, force: true });
});

/** The lines of what was printed that a shell is to run, by how they begin. */
function pasted(word: RegExp): string {
  return simulators
    .output()
    .split("\n")
    .filter((line) => word.test(line))
    .join("\n");
}

test("registers one of each as printed, and each prints a receipt", async () => {
  const added = await runToEnd(["/bin/sh", "-ec", pasted(/ device add /)], {
    env: { FISCALD_STATE_DIR: stateDir },
  });
  expect(added.err).toBe("");
  const devices = await shop.till.expect<Registered[]>("GET", "/devices");
  expect(devices.map(({ driver }) => driver).sort()).toEqual([...SIMULATORS.keys()].sort());

  // In place of the real program, a function that says what it would send.
  const curl = 'curl() { for last in "$@"; do :; done; printf "%s\\n" "$last"; }';
  const posted = await runToEnd(["/bin/sh", "-ec", `${curl}\n${pasted(/^curl /)}`]);
  for (const line of posted.out.trimEnd().split("\n")) {
    const { name: _, driver, ...body } = JSON.parse(line);
    expect(devices.find((device) => device.driver === driver)).toMatchObject(body);
  }

  const simulated = simulators.ready.devices as readonly Simulated[];
  await Promise.all(
    devices
      .filter(({ driver }) => [...DRIVERS.keys()].some((id) => id === driver))
      .map(async ({ id, driver }) => {
        const submitted = await shop.till.submit(id, "print_receipt", SALE);
        const { status, result } = await shop.till.wait(submitted.id);
        expect({ driver, status, result }).toMatchObject({ driver, status: "completed" });
        const control = simulated.find((device) => device.driver === driver)?.control;
        const books = await (await fetch(`${control}/books`)).json();
        expect(books).toMatchObject({ receipts: [{ total: 250, kind: "sale" }] });
        const svg = await (await fetch(`${control}/paper.svg?last=1`)).text();
        expect(svg).toContain("Coffee");
        expect(await (await fetch(`${control}/page.js`)).text()).toContain("EventSource");
      }),
  );
});

test("ends when asked to, and starts again from the same folder; one port that is taken stops one", async () => {
  expect(await simulators.stop()).toBe(0);
  const host = ownHost();
  const taken = Bun.listen({
    hostname: host,
    port: 0,
    socket: { data: () => undefined },
  });
  const first = taken.port - 2;
  simulators = await startProduct(
    [...["simulate", "--all", `--state=${join(folder, "devices")}`], `--listen=${host}:${first}`],
    "simulating",
  );
  taken.stop(true);
  const kept = simulators.ready.devices as readonly { driver: string; control: string }[];
  const [, , third] = [...SIMULATORS.keys()];
  expect(kept.map(({ driver }) => driver)).not.toContain(third);
  expect(kept.length).toBeGreaterThan(1);
  expect(simulators.output()).toContain(`fiscald: ${third} is not simulated: `);
  const named = { headers: { host: hostname() } };
  const books = await (await fetch(`${kept[0]?.control}/books`, named)).json();
  expect(books).toMatchObject({ receiptCount: 1 });
});
