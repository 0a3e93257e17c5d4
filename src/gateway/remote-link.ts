/**
 * One remote controller's connection: its texts become messages, and it ends when the controller
 * falls silent, floods, or may no longer be here. Nothing that comes over it is believed to have a
 * form before it was looked at.
 */

import { CLOSE_CODES } from "#core/close-codes.ts";
import type { ControllerIdentity } from "#core/controller/controller.ts";
import { type FrameFault, isFault, notUnderstood, readFrame } from "#core/controller/frames.ts";
import type { ToController, ToGateway } from "#core/controller/messages.ts";
import {
  CONTROLLER_ANNOUNCEMENTS,
  CONTROLLER_FAULTS,
  CONTROLLER_LINE_MESSAGES,
  CONTROLLER_MESSAGES,
  CONTROLLER_SILENCE_SECONDS,
  HEARTBEAT_SECONDS,
} from "#core/limits.ts";
import { Allowance } from "../platform/allowance.ts";
import type { Clock } from "../platform/clock.ts";
import type { ControllerConnection, Controllers } from "./controllers.ts";
import type { ConnectionEnd } from "./sessions.ts";

/** Texts both ways; neither call throws, and both do nothing once it is closed. */
export interface TextLine {
  send(text: string): void;
  close(code: number, reason: string): void;
}

export interface RemoteLinkOptions {
  readonly controllers: Pick<Controllers, "connect" | "devicesOf">;
  readonly clock: Pick<Clock, "elapsed" | "setTimer">;
}

const SENSELESS: ConnectionEnd = {
  code: CLOSE_CODES.senseless,
  reason: "Too many messages that make no sense",
};
const NO_ACCESS: ConnectionEnd = {
  code: CLOSE_CODES.unauthorized,
  reason: "The credential is no longer valid",
};
const SILENT: ConnectionEnd = {
  code: CLOSE_CODES.slow,
  reason: "Nothing was heard of the controller",
};
const TOO_MANY: ConnectionEnd = { code: CLOSE_CODES.tooMany, reason: "Too many messages" };

/** A pong to each of so many pings has failed to come before silence counts. */
const PINGS_UNANSWERED = 2;

export class RemoteLink {
  readonly #o: RemoteLinkOptions;
  readonly #line: TextLine;
  readonly #connection: ControllerConnection;
  readonly #messages: Allowance;
  readonly #lineMessages: Allowance;
  /** Requests to show what passes on a line, by which the gateway asks for messages itself. */
  readonly #looks = new Set<string>();
  readonly #announcements: Allowance;
  readonly #faults: Allowance;
  #isOver = false;
  #heardAt: number;
  #pingsSince = 0;
  #cancelTimer = (): void => undefined;

  /** Takes in the controller at the other end. */
  constructor(line: TextLine, identity: ControllerIdentity, options: RemoteLinkOptions) {
    this.#o = options;
    this.#line = line;
    const { controllers, clock } = options;
    this.#messages = new Allowance(CONTROLLER_MESSAGES, clock);
    this.#lineMessages = new Allowance(CONTROLLER_LINE_MESSAGES, clock);
    this.#announcements = new Allowance(CONTROLLER_ANNOUNCEMENTS, clock);
    this.#faults = new Allowance(CONTROLLER_FAULTS, clock);
    this.#heardAt = clock.elapsed();
    this.#connection = controllers.connect(identity, controllers.devicesOf(identity), {
      send: (message) => this.#send(message),
      close: (code, reason) => this.#end({ code, reason }),
    });
    this.#wait();
  }

  /** A text came. */
  hear(text: string): void {
    if (this.#isOver) return;
    this.#heardAt = this.#o.clock.elapsed();
    this.#pingsSince = 0;
    if (!this.#messages.take()) {
      this.#end(TOO_MANY);
      return;
    }
    const frame = readFrame(text);
    if (isFault(frame)) this.#refuse(frame);
    else this.#receive(frame);
  }

  /** The connection is over. */
  closed(end: ConnectionEnd): void {
    this.#finish(end);
  }

  /** The credential that opened the connection is no longer valid. */
  accessEnded(): void {
    this.#end(NO_ACCESS);
  }

  #receive(message: ToGateway): void {
    if (message.type === "trace.entries") this.#countLook(message);
    if (message.type === "device.announce" && !this.#mayAnnounce()) {
      this.#end(TOO_MANY);
      return;
    }
    this.#connection.receive(message);
  }

  /** Whoever looks at a line must not end the connection over which its receipts go. */
  #countLook({ requestId, ended }: Extract<ToGateway, { type: "trace.entries" }>): void {
    if (this.#looks.has(requestId) && this.#lineMessages.take()) this.#messages.giveBack();
    if (ended) this.#looks.delete(requestId);
  }

  #mayAnnounce(): boolean {
    return this.#announcements.take(1 / Math.max(1, this.#connection.deviceCount()));
  }

  #refuse(fault: FrameFault): void {
    this.#send(notUnderstood(fault));
    if (!this.#faults.take()) this.#end(SENSELESS);
  }

  #send(message: ToController): void {
    if (message.type === "trace.follow") this.#looks.add(message.requestId);
    if (message.type === "trace.end") this.#looks.delete(message.requestId);
    if (!this.#isOver) this.#line.send(JSON.stringify(message));
  }

  /** Until the next ping, or the end of the silence that may be. */
  #wait(): void {
    const silentMs = this.#o.clock.elapsed() - this.#heardAt;
    const leftMs = CONTROLLER_SILENCE_SECONDS * 1_000 - silentMs;
    const ms = leftMs > 0 ? Math.min(leftMs, HEARTBEAT_SECONDS * 1_000) : HEARTBEAT_SECONDS * 1_000;
    this.#cancelTimer = this.#o.clock.setTimer(ms, () => this.#beat());
  }

  #beat(): void {
    const silentMs = this.#o.clock.elapsed() - this.#heardAt;
    // After a pause of this process itself the answers may be waiting to be read.
    const isSilent = silentMs >= CONTROLLER_SILENCE_SECONDS * 1_000;
    if (isSilent && this.#pingsSince >= PINGS_UNANSWERED) {
      this.#end(SILENT);
      return;
    }
    this.#pingsSince += 1;
    this.#send({ type: "ping" });
    this.#wait();
  }

  /** Ends the connection from this side; the other end may never say so. */
  #end(end: ConnectionEnd): void {
    if (this.#isOver) return;
    this.#finish(end);
    this.#line.close(end.code, end.reason);
  }

  #finish(end: ConnectionEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelTimer();
    this.#connection.close(end);
  }
}
