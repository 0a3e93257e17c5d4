/** The search at one address: asks until somebody answers, and keeps what came of it. */

import {
  type DetectionOutcome,
  type DeviceAddress,
  type FoundDevice,
  leftAlone,
  type TriedAddress,
} from "#core/device/detection.ts";
import { parseSerialAddress } from "#core/device/serial-address.ts";
import type { DetectorEnvironment } from "./detector-environment.ts";
import { KeptLine } from "./kept-line.ts";
import { openToProbe, type ProbeOutcome, probe } from "./probe.ts";
import type { Probe } from "./probe-order.ts";

/**
 * A device that takes one connection needs up to a second to notice that the last one is over, and
 * refuses or closes the next one until then.
 */
const REOPEN_WAIT_MS = 500;
const REOPENS_MAX = 3;

/** A system takes three seconds to find out that nobody has an address of its network. */
const CONNECT_LIMIT_MS = 3_500;
/**
 * At a host that did not answer at another port: one that is there, behind a firewall, answers in a
 * tenth of it.
 */
const HURRIED_LIMIT_MS = 500;

const ONE_AT_A_TIME =
  "a device that takes one connection at a time may be in use by another program";

export interface AddressSearchOptions {
  readonly environment: DetectorEnvironment;
  /** Ends the search. */
  readonly signal: AbortSignal;
  /** The registered device at an address, in a sentence. */
  usedBy(address: DeviceAddress): Promise<string | undefined>;
  /** A question is about to be asked. */
  began(probe: Probe): void;
  /** A device answered. */
  found(device: FoundDevice): void;
  /** So many questions are over, or need not be asked any more. */
  passed(probes: number): void;
}

/** What came of an address, and the device where there is one. */
export type SearchResult = TriedAddress & { readonly device?: FoundDevice };

export class AddressSearch {
  readonly #address: DeviceAddress;
  readonly #probes: readonly Probe[];
  readonly #options: AddressSearchOptions;
  /** Protocols that heard nothing, each with the line's parameters. */
  readonly #silent = new Set<string>();
  /** What each protocol has learnt at this address. */
  readonly #remembered = new Map<string, Map<string, string>>();
  /** Open from one question to the next; a serial port is opened anew for each. */
  #kept: KeptLine | undefined;
  #asked = 0;
  /** Connections that the other end closed before it said anything. */
  #hangUps = 0;
  #connectTimeoutMs = CONNECT_LIMIT_MS;
  #isUnanswered = false;
  /** Parameters with which something answered that nobody understood. */
  #heardAt: DeviceAddress | undefined;
  #result: SearchResult;

  constructor(address: DeviceAddress, probes: readonly Probe[], options: AddressSearchOptions) {
    this.#address = address;
    this.#probes = probes;
    this.#options = options;
    this.#result = this.#told("not_tried", "Detection ended before");
  }

  get result(): SearchResult {
    return this.#result;
  }

  /** True where connecting was not even refused. */
  get isUnanswered(): boolean {
    return this.#isUnanswered;
  }

  /** @param pace hurried at a host that did not answer at another port */
  async run(pace: "patient" | "hurried" = "patient"): Promise<void> {
    const { signal, passed } = this.#options;
    this.#connectTimeoutMs = pace === "hurried" ? HURRIED_LIMIT_MS : CONNECT_LIMIT_MS;
    let left = this.#probes.length;
    try {
      const registered = () => this.#options.usedBy(this.#address);
      if (await this.#isUsed(registered)) return;
      if (await this.#isUsed(() => this.#program())) return;
      for (const question of this.#probes) {
        if (signal.aborted) return;
        // A device that was registered meanwhile must not be thrown off its line.
        if (await this.#isUsed(registered)) return;
        if (signal.aborted) return;
        if (!this.#isNeedless(question) && (await this.#ask(question)) === "over") return;
        passed(1);
        left -= 1;
      }
      this.#result = this.#nothing();
    } finally {
      this.#giveBack();
      passed(left);
    }
  }

  async #isUsed(find: () => Promise<string | undefined> | string | undefined): Promise<boolean> {
    const user = await find();
    if (user !== undefined) this.#result = leftAlone(this.#address, user, this.#asked);
    return user !== undefined;
  }

  /** The program that uses a serial port. */
  #program(): string | undefined {
    const { transport, connectionParams: params } = this.#address;
    if (transport !== "serial" || !("address" in params)) return undefined;
    const serial = parseSerialAddress(params.address);
    if (typeof serial === "string") return undefined;
    return this.#options.environment.portUser(serial.path);
  }

  /** Where a driver heard nothing, one that begins with the same questions would not either. */
  #isNeedless({ driver, address }: Probe): boolean {
    return this.#silent.has(questionsOf(driver.detection.protocol, address));
  }

  async #ask(question: Probe): Promise<"over" | "go on"> {
    this.#options.began(question);
    const outcome = await this.#openAndAsk(question);
    const { driver, address } = question;
    const { protocol } = driver.detection;
    if (outcome.kind !== "not_opened" && outcome.kind !== "ended") this.#asked += 1;
    switch (outcome.kind) {
      case "found": {
        const { serialNumber, fiscalMemorySerialNumber, model, firmwareVersion } = outcome.info;
        const told = { serialNumber, fiscalMemorySerialNumber, model, firmwareVersion };
        const device = { driver: driver.id, ...address, ...told };
        this.#result = { ...this.#told("found", `A device of ${driver.id} answered`), device };
        this.#options.found(device);
        return "over";
      }
      case "unknown_device": {
        const reason = `A device of protocol ${protocol} answered that no driver asked knows: ${outcome.model || "it tells no model"}`;
        this.#result = this.#told("unknown_device", reason);
        return this.#hasSibling(question) ? "go on" : "over";
      }
      case "refused":
        this.#result = this.#told("unknown_device", outcome.message);
        return "over";
      case "not_opened": {
        const wasTaken = this.#asked > 0 || this.#hangUps > 0;
        const why = wasTaken ? ` after it had taken a connection: ${ONE_AT_A_TIME}` : "";
        this.#result = this.#told("not_opened", outcome.message + why);
        this.#isUnanswered = outcome.code !== "E100" && !wasTaken;
        return "over";
      }
      case "ended":
        if (this.#asked > 0) this.#result = this.#told("not_tried", "Detection ended half-way");
        return "over";
      case "unrecognized":
        this.#heardAt ??= address;
        this.#silent.add(questionsOf(protocol, address));
        return "go on";
      case "silent":
      case "hung_up":
        this.#silent.add(questionsOf(protocol, address));
        return "go on";
      default:
        return outcome satisfies never;
    }
  }

  /** A later question to the same protocol with the same parameters. */
  #hasSibling(question: Probe): boolean {
    const later = this.#probes.slice(this.#probes.indexOf(question) + 1);
    const wanted = questionsOf(question.driver.detection.protocol, question.address);
    return later.some((one) => questionsOf(one.driver.detection.protocol, one.address) === wanted);
  }

  async #openAndAsk(question: Probe): Promise<ProbeOutcome> {
    const { clock } = this.#options.environment;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#askOnce(question);
      if (outcome.kind === "hung_up") this.#hangUps += 1;
      if (!this.#mayHelp(outcome) || attempt > REOPENS_MAX) return outcome;
      await new Promise<void>((resolve) => clock.setTimer(REOPEN_WAIT_MS, resolve));
    }
  }

  /** Asks on the line that is open; where there is none, on a new one. */
  async #askOnce({ driver, address }: Probe): Promise<ProbeOutcome> {
    const { environment, signal } = this.#options;
    if (!this.#kept?.isOpen) {
      this.#giveBack();
      const connectTimeoutMs = this.#connectTimeoutMs;
      const opening = await openToProbe(address, environment, { signal, connectTimeoutMs });
      if (opening.kind !== "opened") return opening;
      this.#kept = new KeptLine(opening.line);
    }
    const { protocol } = driver.detection;
    const remembered = this.#remembered.get(protocol) ?? new Map<string, string>();
    this.#remembered.set(protocol, remembered);
    const line = this.#kept.lend();
    const outcome = await probe({ driver, remembered }, line, { environment, signal });
    if (this.#address.transport === "serial") this.#giveBack();
    return outcome;
  }

  /** True when the same question may be answered in a moment. */
  #mayHelp(outcome: ProbeOutcome): boolean {
    if (outcome.kind === "hung_up") return this.#address.transport !== "serial";
    if (outcome.kind !== "not_opened") return false;
    return this.#asked > 0 || (this.#address.transport === "tcp" && outcome.code === "E100");
  }

  #giveBack(): void {
    this.#kept?.close();
    this.#kept = undefined;
  }

  #nothing(): SearchResult {
    if (this.#probes.length === 0) return this.#told("not_tried", "No driver can look there");
    if (this.#result.outcome === "unknown_device") return this.#result;
    if (!this.#heardAt) return this.#told("silent", this.#silence());
    return this.#told("unrecognized", "Something answered, but in no protocol that was asked for");
  }

  #silence(): string {
    if (this.#hangUps === 0) return "Nothing answered";
    return `It closed ${this.#hangUps} connections without a word: ${ONE_AT_A_TIME}`;
  }

  #told(outcome: DetectionOutcome, reason: string): SearchResult {
    return { ...this.#address, outcome, reason, probes: this.#asked };
  }
}

function questionsOf(protocol: string, { connectionParams }: DeviceAddress): string {
  return JSON.stringify([protocol, connectionParams]);
}
