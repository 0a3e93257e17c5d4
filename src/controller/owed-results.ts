/**
 * The results that the gateway has not stored yet, of whatever devices: they are owed to it, whoever
 * serves the device by now. What is told of a document that was printed may be all the proof there is.
 */

import type { CommandResult } from "#core/command/command.ts";
import type { GatewayChannel } from "./channel.ts";
import type { ControllerEnvironment } from "./environment.ts";
import type { KeptResult } from "./result-keeper.ts";

/** Waiting before a result is sent again that could not be written down. */
const RETRY_MS = 1_000;
/** Ends that say that the gateway counts on the result no longer. It knows the command. */
const ENDS: readonly string[] = ["FINAL", "STALE"];
/** As the gateway takes one. */
const FISCAL_ID_MAX = 128;

type OwedEnvironment = Pick<ControllerEnvironment, "clock" | "log" | "results">;

export class OwedResults {
  readonly #channel: GatewayChannel;
  readonly #env: OwedEnvironment;
  readonly #isServed: (deviceId: string) => boolean;
  /** By command, the first first. */
  readonly #results: Map<string, KeptResult>;
  /** Commands of which the gateway cannot read the whole result, and is told the least. */
  readonly #reduced = new Set<string>();
  #stopped = false;

  /** @param isServed true for a device that the gateway has given to this controller */
  constructor(
    channel: GatewayChannel,
    environment: OwedEnvironment,
    isServed: (deviceId: string) => boolean,
  ) {
    this.#channel = channel;
    this.#isServed = isServed;
    this.#env = environment;
    const kept = environment.results?.all() ?? [];
    this.#results = new Map(kept.map((result) => [result.commandId, result]));
  }

  has(commandId: string): boolean {
    return this.#results.has(commandId);
  }

  /** Keeps a result, and tells it. */
  add(kept: KeptResult): void {
    this.#keep(kept);
    this.#tell(kept.commandId);
  }

  /**
   * The command was handed over anew: it is told again, under that hand-over.
   * @returns false when it has not ended here
   */
  handedOver(commandId: string, epoch: number): boolean {
    const ended = this.#results.get(commandId);
    if (ended) this.add({ ...ended, epoch });
    return ended !== undefined;
  }

  /** The gateway has it. */
  stored(commandId: string): void {
    this.#results.delete(commandId);
    this.#reduced.delete(commandId);
    this.#env.results?.forget(commandId);
  }

  /**
   * The gateway did not take a result. What it could not write down is told again, what it cannot read
   * with less, and what it wants no longer is forgotten. One that knows neither command nor device may
   * stand in for the gateway whose result it is, as while that is mended: then it is kept.
   * @param epoch of what was refused; undefined where the gateway does not say
   */
  refused(commandId: string, code: string, epoch: number | undefined): void {
    const kept = this.#results.get(commandId);
    // What was said under an older hand-over was said again.
    if (!kept || (epoch !== undefined && epoch < kept.epoch)) return;
    const isNobodys = code === "NOT_YOURS" && this.#isServed(kept.deviceId);
    if (isNobodys || ENDS.includes(code)) this.stored(commandId);
    if (code === "NOT_STORED") {
      this.#env.clock.setTimer(RETRY_MS, () => {
        if (!this.#stopped) this.#tell(commandId);
      });
    }
    if (code !== "INVALID_MESSAGE" || this.#reduced.has(commandId)) return;
    this.#reduced.add(commandId);
    this.#tell(commandId);
  }

  /** Tells every one, as after each welcome. */
  tellAll(): void {
    for (const commandId of this.#results.keys()) this.#tell(commandId);
  }

  /** Nothing is told from now on. */
  stop(): void {
    this.#stopped = true;
  }

  #keep(kept: KeptResult): void {
    this.#results.set(kept.commandId, kept);
    try {
      this.#env.results?.keep(kept);
    } catch (error) {
      // It is told from memory; after a restart the device is asked instead.
      const { commandId } = kept;
      this.#env.log.error("result not written", { commandId, error });
    }
  }

  #tell(commandId: string): void {
    const kept = this.#results.get(commandId);
    if (!kept) return;
    const result = this.#reduced.has(commandId) ? leastOf(kept.result) : kept.result;
    this.#channel.send({ type: "command.result", ...kept, result });
  }
}

/** Whether something was printed, and as what: an older gateway reads that of every result. */
function leastOf({ success, fiscalId, data }: CommandResult): CommandResult {
  const isNumber = fiscalId !== undefined && fiscalId.length <= FISCAL_ID_MAX;
  const known = {
    ...(isNumber ? { fiscalId } : {}),
    ...(data?.outcome === undefined ? {} : { data: { outcome: data.outcome } }),
  };
  if (success) return { success, ...known };
  const errorMessage = "The gateway could not read how it failed; see the controller's log";
  return { success, errorCode: "E900", errorMessage, ...known };
}
