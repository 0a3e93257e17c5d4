/** Tries a controller against all scenarios, with a simulated printer that it has to drive. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DeviceConfig } from "#core/device/device.ts";
import { type Simulator, startSimulator } from "#drivers/simulator/host.ts";
import { type Books, CheckBench, type Pace, type Printer, USUAL_PACE } from "./bench.ts";
import { CheckFailed, GatewayEnd, type Handshake } from "./gateway-end.ts";
import { checkHandshake, SCENARIOS, type Scenario } from "./scenarios.ts";

export interface CheckOptions {
  /** Where the controller is waited for; port 0 picks one. */
  readonly listen: { readonly host: string; readonly port: number };
  /** This machine as the controller reaches it, for the printer. */
  readonly host: string;
  /** How long to wait for the controller. Milliseconds. */
  readonly patienceMs: number;
  /** `USUAL_PACE` unless given. */
  readonly pace?: Pace;
  /** The port is open. */
  listening(port: number): void;
  /** What came of a scenario. */
  told(outcome: ScenarioOutcome): void;
}

export interface ScenarioOutcome {
  readonly name: string;
  readonly rule: string;
  /** What the controller did instead; undefined when it did as the rule says. */
  readonly failure: string | undefined;
}

const DRIVER = "vendorA.isl";
const DEVICE_ID = "dev_check";

/**
 * Waits for a controller and tries it.
 * @returns true when it passed everything
 * @throws Error of the system when the address is not to be had
 */
export async function checkController(options: CheckOptions): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-check-"));
  let simulator: Simulator | undefined;
  let gateway: GatewayEnd | undefined;
  try {
    simulator = await startSimulator({
      ...{ driver: DRIVER, stateFile: join(folder, "printer") },
      listen: { host: options.listen.host, port: 0 },
      control: { host: "127.0.0.1", port: 0 },
    });
    const device = deviceAt(options.host, simulator.port);
    let handshake: Handshake | undefined;
    gateway = new GatewayEnd({
      ...{ ...options.listen, device },
      connected: (one) => {
        handshake ??= one;
      },
    });
    options.listening(gateway.port);
    const bench = new CheckBench(
      { gateway, printer: printerOf(simulator), device },
      options.pace ?? USUAL_PACE,
    );
    return await tryAll(bench, options, () => handshake);
  } finally {
    await gateway?.stop();
    await simulator?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryAll(
  bench: CheckBench,
  options: CheckOptions,
  handshake: () => Handshake | undefined,
): Promise<boolean> {
  const { gateway } = bench;
  let isGood = true;
  const attempt = async (scenario: Scenario): Promise<boolean> => {
    const failure = await failureOf(scenario, bench);
    options.told({ name: scenario.name, rule: scenario.rule, failure });
    isGood &&= failure === undefined;
    return failure === undefined;
  };
  const connects: Scenario = {
    name: "connects",
    rule: "a WebSocket with a key, the subprotocol, a controllerId and marks=1",
    async run() {
      const what = `controller within ${options.patienceMs / 1_000} s`;
      await gateway.until(what, options.patienceMs, () => gateway.isConnected);
      const said = handshake();
      if (said) checkHandshake(said);
    },
  };
  await attempt(connects);
  if (!gateway.isConnected) return false;
  const [serves, ...others] = SCENARIOS;
  // Nothing else means anything where the device is not reached.
  if (!serves || !(await attempt(serves))) return false;
  for (const scenario of others) {
    await attempt({ ...scenario, run: (one) => fresh(one, scenario) });
  }
  await attempt({
    name: "speaks the protocol",
    rule: "everything it says is a message as the AsyncAPI document has it",
    async run() {
      const [first] = gateway.faults;
      if (first !== undefined) throw new CheckFailed(`${gateway.faults.length} are not: ${first}`);
    },
  });
  return isGood;
}

/** Runs a scenario from a quiet start. */
async function fresh(bench: CheckBench, scenario: Scenario): Promise<void> {
  bench.gateway.open();
  await bench.printer.clear();
  await bench.ready();
  await scenario.run(bench);
}

async function failureOf(scenario: Scenario, bench: CheckBench): Promise<string | undefined> {
  try {
    await scenario.run(bench);
    return undefined;
  } catch (error) {
    if (error instanceof CheckFailed) return error.message;
    throw error;
  }
}

function deviceAt(host: string, port: number): DeviceConfig {
  return {
    ...{ id: DEVICE_ID, orgId: "check", name: "Printer of the check", driver: DRIVER },
    ...{ transport: "tcp", connectionParams: { host, port } },
    ...{ timezone: "Europe/Sofia", currency: "EUR" },
  };
}

function printerOf(simulator: Simulator): Printer {
  const post = async (path: string, body?: unknown): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${simulator.controlPort}${path}`, {
      method: "POST",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  return {
    // They have these fields among others.
    books: () => simulator.books() as unknown as Books,
    fault: (fault) => post("/fault", fault),
    clear: () => post("/clear"),
  };
}
