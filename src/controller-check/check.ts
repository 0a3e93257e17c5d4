/** Tries a controller against all scenarios, with a simulated printer that it has to drive. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DeviceConfig } from "#core/device/device.ts";
import { type Simulator, startSimulator } from "#drivers/simulator/host.ts";
import { type Books, CheckBench, NotTried, type Pace, type Printer, USUAL_PACE } from "./bench.ts";
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
  /** What the controller did instead, or why it was not tried; undefined when it did as the rule says. */
  readonly failure: string | undefined;
  /** False when it could not begin, which says nothing of what it tries. */
  readonly isTried: boolean;
}

/** `nobody`: no controller came at all. */
export type CheckEnd = "passed" | "failed" | "nobody";

const DRIVER = "vendorA.isl";
const DEVICE_ID = "dev_check";

/**
 * Waits for a controller and tries it.
 * @throws Error of the system when the address is not to be had
 */
export async function checkController(options: CheckOptions): Promise<CheckEnd> {
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
    const isGood = await tryAll(bench, options, () => handshake);
    if (isGood) return "passed";
    return gateway.attempts === 0 ? "nobody" : "failed";
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
  const attempt = async (scenario: Scenario, faultsBefore = 0): Promise<Outcome> => {
    const outcome = await outcomeOf(scenario, bench, faultsBefore);
    options.told({ name: scenario.name, rule: scenario.rule, ...outcome });
    isGood &&= outcome.failure === undefined;
    return outcome;
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
  if (!serves || (await attempt(serves)).failure !== undefined) return false;
  let obstacle: string | undefined;
  for (const scenario of others) {
    const run = async () => {
      // It has had its time; what is asked of it now would wait behind the same.
      if (obstacle !== undefined) throw new NotTried(obstacle);
      await begin(bench).catch((error: unknown) => {
        if (!(error instanceof CheckFailed || error instanceof NotTried)) throw error;
        obstacle = error.message;
        // Also where nobody failed before: what stands still now is no fault that this one tries.
        throw new NotTried(obstacle);
      });
      await scenario.run(bench);
    };
    await attempt({ ...scenario, run }, gateway.faults.length);
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

type Outcome = Pick<ScenarioOutcome, "failure" | "isTried">;

/** A quiet start, whatever the scenario before it left. @throws CheckFailed, NotTried */
async function begin(bench: CheckBench): Promise<void> {
  const { gateway, printer } = bench;
  gateway.open();
  await printer.clear();
  await bench.ready();
  if (printer.books().openDocument === null) return;
  // Left by a controller that was told so, and which is judged by that no more.
  await printer.fault({ kind: "other_hands", when: "before", deed: "cancel", at: 1 });
  await bench.ready();
  if (printer.books().openDocument === null) return;
  throw new NotTried("a receipt stands open in the printer that cannot be cancelled");
}

/** @param faultsBefore what had been refused of the controller before the scenario */
async function outcomeOf(
  scenario: Scenario,
  bench: CheckBench,
  faultsBefore: number,
): Promise<Outcome> {
  try {
    await scenario.run(bench);
    bench.end({ isFailed: false });
    return { failure: undefined, isTried: true };
  } catch (error) {
    bench.end({ isFailed: true });
    const isTried = error instanceof CheckFailed;
    if (!isTried && !(error instanceof NotTried)) throw error;
    const refused = bench.gateway.faults.slice(faultsBefore).at(-1);
    const why = refused === undefined ? "" : `; refused was ${refused}`;
    return { failure: `${error.message}${why}`, isTried };
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
    hasHost: () => simulator.hasHost(),
    fault: (fault) => post("/fault", fault),
    clear: () => post("/clear"),
  };
}
