/**
 * The results that the gateway has not stored yet, of whatever devices: they are owed to it, whoever
 * serves the device by now. What is told of a document that was printed may be all the proof there is.
 *
 * They are owed to the installation that handed the command over. Another one may stand in for it while
 * it is mended, with the same devices where it was set up from a copy: that one is told each result once,
 * and what it answers ends nothing.
 */

import type { CommandResult } from "#core/command/command.ts";
import { CLOCK_FLOOR } from "../platform/clock.ts";
import type { GatewayChannel } from "./channel.ts";
import type { ControllerEnvironment } from "./environment.ts";
import type { AnsweredElsewhere, KeptResult } from "./result-keeper.ts";

/** Waiting before a result is sent again that could not be written down. */
const RETRY_MS = 1_000;
/** Refusals that say that the gateway counts on the result no longer. */
const ENDS: readonly string[] = ["FINAL", "NOT_YOURS", "STALE"];
/** A result is given up so long after another gateway has answered it: its own has not come back. */
const OWED_MS_MAX = 30 * 86_400_000;
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
  /** Commands whose results a gateway has answered here that does not say which it is. */
  readonly #answeredHere = new Set<string>();
  #installationId: string | null = null;
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

  /** That of the gateway that is heard; null where it does not say. */
  get installationId(): string | null {
    return this.#installationId;
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
    if (ended) this.add({ ...ended, epoch, owedTo: this.#installationId, answered: null });
    return ended !== undefined;
  }

  /** A connection was made: what its gateway has not answered is told. */
  welcomed(installationId: string | null): void {
    this.#installationId = installationId;
    this.#giveUpOld();
    for (const kept of this.#results.values()) {
      if (!this.#hasAnswered(kept)) this.#tell(kept.commandId);
    }
  }

  /** The gateway has it. */
  stored(commandId: string): void {
    const kept = this.#results.get(commandId);
    if (kept) this.#answered(kept, "stored");
  }

  /**
   * The gateway did not take a result. What it could not write down is told again, what it cannot read
   * with less, and what it wants no longer is forgotten, where it is the one to which it is owed.
   * @param epoch of what was refused; undefined where the gateway does not say
   */
  refused(commandId: string, code: string, epoch: number | undefined): void {
    const kept = this.#results.get(commandId);
    // What was said under an older hand-over was said again.
    if (!kept || (epoch !== undefined && epoch < kept.epoch)) return;
    if (ENDS.includes(code)) this.#answered(kept, code);
    if (code === "NOT_STORED") {
      this.#env.clock.setTimer(RETRY_MS, () => {
        if (!this.#stopped) this.#tell(commandId);
      });
    }
    if (code !== "INVALID_MESSAGE" || this.#reduced.has(commandId)) return;
    this.#reduced.add(commandId);
    this.#tell(commandId);
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

  /** @param answer a refusal's code, or `stored` */
  #answered(kept: KeptResult, answer: string): void {
    const { commandId } = kept;
    if (this.#isOwedHere(kept, answer)) {
      this.#forget(commandId);
      return;
    }
    const by = this.#installationId;
    if (by === null) this.#answeredHere.add(commandId);
    this.#note(kept, { by, since: kept.answered?.since ?? this.#env.clock.now() });
  }

  /**
   * True where the gateway is the one to which a result is owed. Where one of both does not say, it is
   * whoever knows the command, or has given the device to this controller.
   */
  #isOwedHere({ owedTo, deviceId }: KeptResult, answer: string): boolean {
    if (owedTo !== null && this.#installationId !== null) return owedTo === this.#installationId;
    return answer !== "NOT_YOURS" || this.#isServed(deviceId);
  }

  /** True where nothing new would be heard of the gateway: it has answered, and is not owed the result. */
  #hasAnswered({ commandId, deviceId, answered }: KeptResult): boolean {
    const id = this.#installationId;
    if (id !== null) return answered?.by === id;
    return this.#answeredHere.has(commandId) && !this.#isServed(deviceId);
  }

  #giveUpOld(): void {
    const now = this.#env.clock.now();
    for (const kept of this.#results.values()) {
      const { commandId, answered } = kept;
      if (answered === null) continue;
      const { by, since } = answered;
      // The clock was set meanwhile: nobody knows how long ago that is.
      const isUnknown = since < CLOCK_FLOOR || since > now;
      if (isUnknown) this.#note(kept, { by, since: now });
      else if (now - since >= OWED_MS_MAX) {
        this.#env.log.warn("result given up: its gateway has not come back", { commandId });
        this.#forget(commandId);
      }
    }
  }

  #note(kept: KeptResult, answered: AnsweredElsewhere): void {
    const { commandId } = kept;
    this.#results.set(commandId, { ...kept, answered });
    try {
      this.#env.results?.answered(commandId, answered);
    } catch (error) {
      // It is told once more after a restart.
      this.#env.log.error("answer to a result not written", { commandId, error });
    }
  }

  #forget(commandId: string): void {
    this.#results.delete(commandId);
    this.#reduced.delete(commandId);
    this.#answeredHere.delete(commandId);
    this.#env.results?.forget(commandId);
  }

  #tell(commandId: string): void {
    const kept = this.#results.get(commandId);
    if (!kept) return;
    const { deviceId, epoch } = kept;
    const result = this.#reduced.has(commandId) ? leastOf(kept.result) : kept.result;
    this.#channel.send({ type: "command.result", commandId, deviceId, epoch, result });
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
