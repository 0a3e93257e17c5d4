/** A remote controller that says what a test has it say, over a real WebSocket. */

import type { ToController } from "#core/controller/messages.ts";
import { isUnreadable, readOrder } from "#core/controller/orders.ts";
import { until } from "../../../e2e/harness/until.ts";

type TypeOf = ToController["type"];
type Told<T extends TypeOf> = Extract<ToController, { readonly type: T }>;

export interface ScriptedOptions {
  /** An API key or an access token. */
  readonly credential: string;
  readonly controllerId?: string;
  /** Further parameters of the handshake; `marks` is 1 unless given. */
  readonly query?: Readonly<Record<string, string>>;
  /** Answers pings, as every controller has to. */
  readonly answersPings?: boolean;
}

export class ScriptedController {
  readonly #socket: WebSocket;
  readonly #answersPings: boolean;
  /** All that it was told and has not looked at. */
  readonly #told: ToController[] = [];
  #end: readonly [code: number, reason: string] | undefined;
  /** What the gateway said that its own schemas do not accept. */
  #fault: string | undefined;

  private constructor(socket: WebSocket, answersPings: boolean) {
    this.#socket = socket;
    this.#answersPings = answersPings;
    socket.addEventListener("message", ({ data }) => this.#hear(String(data)));
    socket.addEventListener("close", ({ code, reason }) => {
      this.#end = [code, reason];
    });
  }

  /**
   * Connects and waits until it is welcome.
   * @param url of the gateway
   */
  static async connect(
    url: string,
    { credential, controllerId = "tablet", query = {}, answersPings = true }: ScriptedOptions,
  ): Promise<ScriptedController & { readonly welcome: Told<"welcome"> }> {
    const search = new URLSearchParams({ controllerId, marks: "1", ...query });
    const address = `${url.replace(/^http/, "ws")}/api/v1/controllers/connect?${search}`;
    const socket = new WebSocket(address, {
      protocols: ["fdg.v1"],
      headers: { authorization: `Bearer ${credential}` },
    });
    const controller = new ScriptedController(socket, answersPings);
    const welcome = await controller.next("welcome");
    return Object.assign(controller, { welcome });
  }

  get subprotocol(): string {
    return this.#socket.protocol;
  }

  /** Sends a message, right or wrong. */
  say(message: unknown): void {
    this.sayText(JSON.stringify(message));
  }

  sayText(text: string): void {
    this.#socket.send(text);
  }

  /** Says that it is at a device. */
  announce(deviceId: string, more: Readonly<Record<string, unknown>> = {}): void {
    this.say({ type: "device.announce", deviceId, link: "up", ...more });
  }

  /** The next message of a type; those before it are passed over. */
  async next<T extends TypeOf>(type: T): Promise<Told<T>> {
    const found = await until(`the message ${type}`, () => {
      const index = this.#told.findIndex((message) => message.type === type);
      if (index >= 0) return this.#told.splice(0, index + 1).at(-1);
      if (this.#fault !== undefined) throw new Error(`the gateway said ${this.#fault}`);
      if (this.#end) throw new Error(`ended with ${this.#end.join(" ")} before ${type}`);
      return undefined;
    });
    // By its type.
    return found as Told<T>;
  }

  /** How the connection ended. */
  ended(): Promise<readonly [code: number, reason: string]> {
    return until("the end of the connection", () => this.#end);
  }

  /** Goes, with a word. */
  close(code = 1000, reason = ""): void {
    this.#socket.close(code, reason);
  }

  #hear(text: string): void {
    const message = readOrder(text);
    if (isUnreadable(message)) this.#fault = `${message.fault}: ${text}`;
    // What is read of older gateways as well is not how this one says it.
    else if (!Bun.deepEquals(message, JSON.parse(text))) this.#fault = `it as once: ${text}`;
    else if (message.type === "ping" && this.#answersPings) this.say({ type: "pong" });
    else this.#told.push(message);
  }
}
