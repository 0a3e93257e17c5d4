/** A gateway in a process of its own, and a client of its API. */

import { randomBytes } from "node:crypto";
import { DEADLINE_MS } from "../../platform/testing/deadline.ts";
import { ask } from "./ask.ts";
import { type Running, readyText, startProduct } from "./program.ts";

/** Settings under which tests and benches run: limits that do not stop them. */
const OPEN_LIMITS: readonly string[] = [
  "--limits-global-max=1000000000",
  "--limits-auth-max=1000000000",
  "--limits-commands-max=1000000000",
];

/**
 * What the engine of a gateway or a controller is set to: `brief`, for one that ends after seconds or
 * is seldom asked; `lasting`, for one that is asked a thousand things, with the compiler that those
 * earn back; `own`, as the product sets it.
 */
type EngineUse = "brief" | "lasting" | "own";

/**
 * A heap that is collected when there is much in it, and not because time has passed since it last
 * was, nor looked at each second, which is a third of what a gateway does that nobody asks; and with
 * all that the product would set there set already, it has no need to start itself anew: together a
 * sixth of the processor time of a start.
 */
const ROOMY = {
  BUN_JSC_forceRAMSize: String(16 * 2 ** 30),
  BUN_JSC_smallHeapGrowthFactor: "2",
  BUN_JSC_largeHeapSize: String(128 * 2 ** 20),
  BUN_JSC_useFTLJIT: "0",
  BUN_GC_TIMER_DISABLE: "1",
  BUN_JSC_collectionTimerMaxPercentCPU: "0",
} as const;

/** The engine's own values, in the place of those of `startOwnProcess`. */
const COMPILED = {
  BUN_JSC_useDFGJIT: "1",
  BUN_JSC_thresholdForJITAfterWarmUp: "500",
  BUN_JSC_thresholdForJITSoon: "100",
} as const;

/** The environment that sets the engine so; nothing in benches, which measure what a shop runs. */
export function engineOf(use: EngineUse = "brief"): Readonly<Record<string, string>> {
  if (process.env.NODE_ENV !== "test") return {};
  if (use === "own") return COMPILED;
  return use === "lasting" ? { ...ROOMY, ...COMPILED } : ROOMY;
}

export interface Gateway extends Running {
  readonly url: string;
}

/** Starts `fiscald serve` on a state directory, at an address of its own choice unless given. */
export async function startGateway(
  stateDir: string,
  options: {
    /** `host:port` */
    readonly address?: string;
    readonly args?: readonly string[];
    readonly program?: string;
    readonly engine?: EngineUse;
  } = {},
): Promise<Gateway> {
  const running = await startProduct(
    [
      "serve",
      // Nobody stands in front of it who has to be told before the port closes.
      "--http-drain-seconds=0",
      `--state-dir=${stateDir}`,
      `--http-listen=${options.address ?? "127.0.0.1:0"}`,
      ...OPEN_LIMITS,
      ...(options.args ?? []),
    ],
    "listening",
    { program: options.program, env: engineOf(options.engine) },
  );
  return { ...running, url: readyText(running, "url") };
}

/** An answer of the API. */
export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** A command as the API shows it; only what tests look at. */
export interface ShownCommand {
  readonly id: string;
  readonly deviceId: string;
  readonly type: string;
  readonly payload: unknown;
  readonly status: string;
  readonly createdAt: string;
  readonly result: {
    readonly success: boolean;
    readonly data?: Readonly<Record<string, unknown>>;
    readonly fiscalId?: string;
    readonly errorCode?: string;
    readonly errorMessage?: string;
  } | null;
  /** What a person said of an unknown outcome; absent where none is or was open. */
  readonly resolution?: {
    readonly outcome: "printed" | "not_printed" | null;
    readonly fiscalId: string | null;
  };
}

/** True when a command has come to its end. */
export function isFinal({ status }: Pick<ShownCommand, "status">): boolean {
  return ["completed", "failed", "timeout"].includes(status);
}

/** What a login is answered with; only what it is renewed by. */
interface Grant {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/** Calls the API with one credential. */
export class ApiClient {
  readonly #credential: string | undefined;

  constructor(
    readonly url: string,
    credential?: string,
  ) {
    this.#credential = credential;
  }

  /** What is sent now. */
  get credential(): string | undefined {
    return this.#credential;
  }

  /** What to send with the next call. */
  protected async bearer(): Promise<string | undefined> {
    return this.credential;
  }

  async call<T>(
    method: string,
    path: string,
    request: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Answer<T>> {
    const { body, headers } = request;
    const bearer = await this.bearer();
    const response = await ask(`${this.url}/api/v1${path}`, {
      method,
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === "" ? undefined : JSON.parse(text)) as T,
    };
  }

  /** Calls and expects success. @throws Error with the answer otherwise */
  async expect<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.call<T>(method, path, { body });
    if (answer.status >= 200 && answer.status < 300) return answer.body;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  /** Queues a command. */
  submit(deviceId: string, type: string, payload: unknown = {}): Promise<ShownCommand> {
    return this.expect("POST", `/devices/${deviceId}/commands`, { type, payload });
  }

  /** Waits until a command is final, or the deadline: a busy machine takes its time for one. */
  async wait(commandId: string): Promise<ShownCommand> {
    const path = `/commands/${commandId}?wait=60`;
    const endsAt = performance.now() + DEADLINE_MS;
    for (;;) {
      const { command } = await this.expect<{ command: ShownCommand }>("GET", path);
      if (isFinal(command) || performance.now() > endsAt) return command;
    }
  }

  async list(path = ""): Promise<ShownCommand[]> {
    const found: ShownCommand[] = [];
    for (let after = ""; ; ) {
      const page = await this.expect<{
        commands: ShownCommand[];
        hasMore: boolean;
        lastId: string;
      }>("GET", `/commands?limit=100&sortOrder=asc${path}${after}`);
      found.push(...page.commands);
      if (!page.hasMore) return found;
      after = `&startAfter=${page.lastId}`;
    }
  }
}

/** A token that ends sooner is not worth sending. */
const TOKEN_LEFT_MS_MIN = 60_000;

/** Calls the API as whoever is logged in, for as long as whoever uses it runs. */
class LoginClient extends ApiClient {
  #grant: Grant;
  #endsAt: number;
  #renewing: Promise<void> | undefined;

  constructor(url: string, { grant, endsAt }: Pick<Registration, "grant" | "endsAt">) {
    super(url);
    this.#grant = grant;
    this.#endsAt = endsAt;
  }

  override get credential(): string {
    return this.#grant.accessToken;
  }

  protected override async bearer(): Promise<string> {
    if (this.#endsAt - performance.now() < TOKEN_LEFT_MS_MIN) {
      this.#renewing ??= this.#renew().finally(() => {
        this.#renewing = undefined;
      });
      await this.#renewing;
    }
    return this.credential;
  }

  async #renew(): Promise<void> {
    const { refreshToken } = this.#grant;
    this.#grant = await new ApiClient(this.url).expect("POST", "/auth/refresh", { refreshToken });
    this.#endsAt = endOf(this.#grant);
  }
}

/** By this process's clock, milliseconds. */
function endOf({ expiresIn }: Grant): number {
  return performance.now() + expiresIn * 1_000;
}

/** The first owner of a gateway, logged in, with a key for tills. */
export interface Shop {
  readonly owner: ApiClient;
  readonly till: ApiClient;
  readonly key: string;
  readonly email: string;
  readonly password: string;
}

/** What registering the owner came to. */
export interface Registration extends Pick<Shop, "key" | "email" | "password"> {
  /** The owner's login. */
  readonly grant: Grant;
  /** When it ends, by this process's clock, milliseconds. */
  readonly endsAt: number;
}

/**
 * Registers the owner, picks a plan that allows keys, and makes one.
 * @param timezone where the shop stands; the machine's zone unless given
 */
export async function registerShop(url: string, timezone?: string): Promise<Shop> {
  return shopAt(url, await register(url, timezone));
}

/** The shop of a registration, at the address where its gateway is. */
export function shopAt(url: string, registration: Registration): Shop {
  const { key, email, password } = registration;
  const owner = new LoginClient(url, registration);
  return { owner, key, till: new ApiClient(url, key), email, password };
}

/** Registers as `registerShop` does. */
export async function register(url: string, timezone?: string): Promise<Registration> {
  const email = "owner@shop.example";
  const password = randomBytes(9).toString("base64url");
  const grant = await new ApiClient(url).expect<Grant>("POST", "/auth/register", {
    ...{ email, password, name: "Owner", organizationName: "Corner Shop" },
    ...(timezone === undefined ? {} : { timezone }),
  });
  const login = { grant, endsAt: endOf(grant) };
  const owner = new LoginClient(url, login);
  await owner.expect("PUT", "/billing/plan", { plan: "enterprise" });
  const { key } = await owner.expect<{ key: string }>("POST", "/org/api-keys", {
    label: "Till 1",
    scopes: ["all"],
  });
  return { ...login, key, email, password };
}

/** Where a device is reached, and by whom. */
export type DeviceTarget = { readonly driver: string; readonly managedBy?: "remote" } & (
  | { readonly host: string; readonly port: number }
  | { readonly serialPort: string }
);

/** Registers a device on TCP or on a serial port. @returns its id */
export async function registerDevice(
  client: ApiClient,
  target: DeviceTarget,
  name = "Printer",
): Promise<string> {
  const { driver, managedBy } = target;
  const device = await client.expect<{ id: string }>("POST", "/devices", {
    name,
    driver,
    locationId: "shop",
    ...(managedBy === undefined ? {} : { managedBy }),
    ...("serialPort" in target
      ? { transport: "serial", connectionParams: { address: target.serialPort } }
      : { transport: "tcp", connectionParams: { host: target.host, port: target.port } }),
  });
  return device.id;
}
