/**
 * A gateway in a folder of its own, and the shop on it: for one printer, or for several at which the
 * same is tried, so that a gateway that is taken away and started again costs the same for all.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiClient, type Gateway, startGateway } from "./gateway.ts";
import { layShop } from "./left-shop.ts";
import { Meeting } from "./meeting.ts";

/** Between two readings of an idle printer: so long that none comes between the frames counted. */
export const NO_POLLING = "--devices-status-seconds=86400";

export class Premises {
  gateway: Gateway;
  readonly folder: string;
  /** Of the owner, for what a key may not do. */
  readonly ownerToken: string;
  /** Those that are tried here; what is done to the gateway they do together. */
  readonly meeting = new Meeting();
  readonly #key: string;
  readonly #args: readonly string[];

  private constructor(
    gateway: Gateway,
    shop: { readonly folder: string; readonly key: string; readonly ownerToken: string },
    args: readonly string[],
  ) {
    this.gateway = gateway;
    this.folder = shop.folder;
    this.ownerToken = shop.ownerToken;
    this.#key = shop.key;
    this.#args = args;
  }

  /** Opens the shop. @param args further arguments of `fiscald serve` */
  static async open(args: readonly string[] = []): Promise<Premises> {
    const folder = await mkdtemp(join(tmpdir(), "fiscald-world-"));
    const { key, grant } = await layShop(folder);
    const gateway = await startIn(folder, args);
    return new Premises(gateway, { folder, key, ownerToken: grant.accessToken }, args);
  }

  get stateDir(): string {
    return stateIn(this.folder);
  }

  /** A till. */
  get till(): ApiClient {
    return new ApiClient(this.gateway.url, this.#key);
  }

  /** SIGKILL. */
  killGateway(): Promise<void> {
    return this.meeting.together("kill", () => this.gateway.kill());
  }

  /** SIGTERM. @throws Error when it does not end well */
  stopGateway(): Promise<void> {
    return this.meeting.together("stop", async () => {
      const code = await this.gateway.stop();
      if (code !== 0) throw new Error(`ended with ${code}: ${this.gateway.output()}`);
    });
  }

  /** Starts the gateway again on the state it left. @param more settings as flags */
  restartGateway(more: readonly string[] = []): Promise<void> {
    return this.meeting.together(`start ${more.join(" ")}`, async () => {
      this.gateway = await startIn(this.folder, [...this.#args, ...more]);
    });
  }

  async close(): Promise<void> {
    await this.gateway.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function stateIn(folder: string): string {
  return join(folder, "state");
}

function startIn(folder: string, args: readonly string[]): Promise<Gateway> {
  return startGateway(stateIn(folder), { args: [NO_POLLING, ...args] });
}
