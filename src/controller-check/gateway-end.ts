/**
 * A gateway's end of the controller protocol that does what a scenario says, and nothing of its own
 * but what every gateway does at any time: it welcomes whoever connects, pings, accepts its device, takes
 * notes, and refuses what is no message or of a command that has ended. What else it hears is kept until
 * a scenario asks for it.
 */

import type { Server, ServerWebSocket } from "bun";
import { CLOSE_CODES } from "#core/close-codes.ts";
import { type About, aboutOf } from "#core/controller/about.ts";
import { isFault, notUnderstood, readFrame } from "#core/controller/frames.ts";
import {
  CONTROLLER_SUBPROTOCOL,
  type ToController,
  type ToGateway,
} from "#core/controller/messages.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import { CONTROLLER_ID_PATTERN, HEARTBEAT_SECONDS } from "#core/limits.ts";
import { patternWords } from "#core/patterns.ts";

/** How a controller introduced itself. */
export interface Handshake {
  readonly url: URL;
  readonly authorization: string | null;
  /** What stands in `X-Api-Key`, which the gateway takes too. */
  readonly apiKey: string | null;
  readonly subprotocols: readonly string[];
}

/** A message of a type. */
export type Said<T extends ToGateway["type"]> = Extract<ToGateway, { readonly type: T }>;

/** The controller did not do what the protocol asks of it; the message says what instead. */
export class CheckFailed extends Error {
  override readonly name = "CheckFailed";
}

export interface GatewayEndOptions {
  readonly host: string;
  /** 0 picks one. */
  readonly port: number;
  /** The one device there is, as the controller reaches it. */
  readonly device: DeviceConfig;
  /** Told when a controller connects. */
  connected(handshake: Handshake): void;
}

/** Between two looks at what was heard. Milliseconds. */
const LOOK_MS = 10;
/** A controller that says more than this between two questions says too much. */
const HEARD_MAX = 10_000;
/** Which installation it plays. */
const INSTALLATION = "check";
const CONNECT_PATH = "/api/v1/controllers/connect";
const CONTROLLER_ID = new RegExp(CONTROLLER_ID_PATTERN);
/** Of a text in a fault. */
const SHOWN_MAX = 140;

export class GatewayEnd {
  readonly #o: GatewayEndOptions;
  readonly #server: Server<Handshake>;
  #socket: ServerWebSocket<Handshake> | undefined;
  readonly #heard: ToGateway[] = [];
  readonly #faults: string[] = [];
  /** Commands that have ended, as far as this gateway goes. */
  readonly #ended = new Set<string>();
  /** Commands of which a result was heard. */
  readonly #reported = new Set<string>();
  readonly #pings: ReturnType<typeof setInterval>;
  #connections = 0;
  #attempts = 0;
  #takesConnections = true;
  #isServed = false;

  /** @throws Error of the system when it cannot listen there */
  constructor(options: GatewayEndOptions) {
    this.#o = options;
    this.#server = Bun.serve<Handshake>({
      ...{ hostname: options.host, port: options.port },
      fetch: (request, server) => this.#answer(request, server),
      websocket: {
        perMessageDeflate: false,
        open: (socket) => this.#opened(socket),
        message: (socket, text) => this.#message(socket, text),
        close: (socket) => {
          if (this.#socket === socket) this.#socket = undefined;
        },
      },
    });
    this.#pings = setInterval(() => {
      if (this.#socket) this.say({ type: "ping" });
    }, HEARTBEAT_SECONDS * 1_000);
  }

  get port(): number {
    return this.#server.port ?? 0;
  }

  /** What was refused for what it is, with the reason: messages, and requests for a connection. */
  get faults(): readonly string[] {
    return this.#faults;
  }

  /** Connections taken so far. */
  get connections(): number {
    return this.#connections;
  }

  /** Connections asked for so far, taken or not. */
  get attempts(): number {
    return this.#attempts;
  }

  get isConnected(): boolean {
    return this.#socket !== undefined;
  }

  /** Says something. @throws CheckFailed when no controller is connected */
  say(message: ToController): void {
    this.sayText(JSON.stringify(message));
  }

  sayText(text: string): void {
    if (!this.#socket) throw new CheckFailed("the controller is not connected");
    this.#socket.sendText(text);
  }

  /** Ends the connection as a network does: without a word. */
  cut(): void {
    this.#socket?.terminate();
    this.#socket = undefined;
  }

  /** Ends it as a gateway that stops does, and takes none until `open`. */
  close(): void {
    this.#takesConnections = false;
    this.#socket?.close(CLOSE_CODES.goingAway, "The gateway stops");
    this.#socket = undefined;
  }

  /** Takes connections again. */
  open(): void {
    this.#takesConnections = true;
  }

  /**
   * A command has ended: marks of it are refused from now on, and what is told of its end is stored,
   * whenever that is.
   */
  end(commandId: string): void {
    this.#ended.add(commandId);
  }

  /** True when a result of the command was heard, under whatever hand-over. */
  hasResultOf(commandId: string): boolean {
    return this.#reported.has(commandId);
  }

  /** Forgets what was heard and not asked for. */
  forget(): void {
    this.#heard.length = 0;
  }

  /** True while a message of this type, and of this command, was heard and not asked for. */
  has(type: ToGateway["type"], commandId?: string): boolean {
    return this.#heard.some((one) => isOf(one, type, commandId));
  }

  /**
   * The next message of a type, of this command where one is given; others stay for later.
   * @throws CheckFailed when it does not come in time
   */
  async next<T extends ToGateway["type"]>(
    type: T,
    { commandId, withinMs }: { readonly commandId?: string; readonly withinMs: number },
  ): Promise<Said<T>> {
    await this.until(`${type} within ${withinMs / 1_000} s`, withinMs, () =>
      this.has(type, commandId),
    );
    const index = this.#heard.findIndex((one) => isOf(one, type, commandId));
    // It is of this type.
    return this.#heard.splice(index, 1)[0] as Said<T>;
  }

  /** Waits for a condition. @throws CheckFailed naming what did not come */
  async until(what: string, withinMs: number, isThere: () => boolean): Promise<void> {
    const endsAt = performance.now() + withinMs;
    while (!isThere()) {
      if (performance.now() > endsAt) throw new CheckFailed(`no ${what}`);
      await Bun.sleep(LOOK_MS);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#pings);
    await this.#server.stop(true);
  }

  #answer(request: Request, server: Server<Handshake>): Response | undefined {
    const url = new URL(request.url);
    const { headers } = request;
    if (url.pathname === "/api/v1/devices") return Response.json([this.#record()]);
    if (url.pathname !== CONNECT_PATH) return refusal(404, "NOT_FOUND", "There is nothing here");
    const isAttempt = headers.has("upgrade");
    if (isAttempt) this.#attempts += 1;
    if (!this.#takesConnections) return refusal(503, "SERVICE_UNAVAILABLE", "The gateway is away");
    // Before anything else, as who is refused asks for the same path with curl.
    const id = url.searchParams.get("controllerId") ?? "";
    if (!CONTROLLER_ID.test(id)) {
      const wanted = `controllerId: Expected ${patternWords(CONTROLLER_ID_PATTERN)}`;
      const fault = `${wanted}, not ${JSON.stringify(id.slice(0, SHOWN_MAX))}`;
      if (isAttempt) this.#faults.push(`VALIDATION_ERROR: ${fault}`);
      return refusal(400, "VALIDATION_ERROR", fault);
    }
    if (!isAttempt) return refusal(400, "BAD_REQUEST", "Open this path as a WebSocket");
    const offered = headers.get("sec-websocket-protocol")?.split(",") ?? [];
    const data: Handshake = {
      url,
      authorization: headers.get("authorization"),
      apiKey: headers.get("x-api-key"),
      subprotocols: offered.map((name) => name.trim()),
    };
    const isOffered = data.subprotocols.includes(CONTROLLER_SUBPROTOCOL);
    const answer = { ...(isOffered && { "Sec-WebSocket-Protocol": CONTROLLER_SUBPROTOCOL }) };
    if (server.upgrade(request, { data, headers: answer })) return undefined;
    return refusal(400, "BAD_REQUEST", "Open this path as a WebSocket");
  }

  /** The device as `GET /devices` lists it, for a controller that looks for its devices itself. */
  #record(): Record<string, unknown> {
    return {
      ...this.#o.device,
      ...{ managedBy: "remote", serialNumber: null },
      effectiveStatus: this.#isServed ? "online" : "offline",
    };
  }

  #opened(socket: ServerWebSocket<Handshake>): void {
    const former = this.#socket;
    this.#socket = socket;
    this.#connections += 1;
    former?.close(CLOSE_CODES.replaced, "The controller connects anew");
    const { device } = this.#o;
    this.say({
      type: "welcome",
      controllerId: socket.data.url.searchParams.get("controllerId") ?? "",
      // As of a controller that had it before.
      devices: [device],
      heartbeatSeconds: HEARTBEAT_SECONDS,
      installationId: INSTALLATION,
    });
    this.#isServed = true;
    this.#o.connected(socket.data);
  }

  #message(socket: ServerWebSocket<Handshake>, text: string | Buffer): void {
    if (this.#socket !== socket) return;
    // What is no text is read as one: it is no message either way.
    const frame = readFrame(typeof text === "string" ? text : "");
    if (isFault(frame)) {
      this.#faults.push(`${frame.code}: ${frame.fault}`);
      this.say(notUnderstood(frame));
      return;
    }
    if (frame.type === "device.note" && frame.noteId !== undefined) {
      const { deviceId, noteId } = frame;
      this.say({ type: "note.stored", deviceId, noteId });
    }
    if (frame.type === "command.result") this.#reported.add(frame.commandId);
    if ("commandId" in frame && this.#ended.has(frame.commandId)) {
      this.#answerEnded(frame);
      return;
    }
    if (frame.type === "device.announce" && frame.deviceId === this.#o.device.id) {
      const { deviceId, link } = frame;
      this.say({ type: "announce.accepted", deviceId, link });
    }
    this.#heard.push(frame);
    if (this.#heard.length > HEARD_MAX) this.#heard.shift();
  }

  #answerEnded(frame: Extract<ToGateway, { readonly commandId: string }>): void {
    const { commandId } = frame;
    if (frame.type === "command.result") this.say({ type: "result.stored", commandId });
    if (frame.type === "command.mark" && frame.learned !== true) {
      this.say(hasEnded(aboutOf(frame)));
    }
  }
}

/** Refuses what goes on with a command that has ended. */
export function hasEnded(about: About): ToController {
  return { type: "error", code: "FINAL", message: "The command has ended meanwhile", ...about };
}

function isOf(message: ToGateway, type: ToGateway["type"], commandId: string | undefined): boolean {
  if (message.type !== type) return false;
  return commandId === undefined || ("commandId" in message && message.commandId === commandId);
}

function refusal(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status });
}
