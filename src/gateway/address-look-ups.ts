/**
 * What the addresses of the gateway's own devices lead to, and those of printers of which something is
 * open: looked up at each start, and again when a line has come up. A port may have another number since,
 * a name lead elsewhere, and a row be of a version that kept what was written alone.
 */

import { addressText, keysNow, withFoundKeys, writtenIn } from "#core/device/address.ts";
import type { DeviceAddress } from "#core/device/detection.ts";
import { hasAddress } from "#core/device/device.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Writer } from "#db/writer.ts";

export interface AddressLookUpsOptions {
  readonly stores: Pick<Stores, "devices" | "printerAddresses">;
  readonly writer: Writer;
  /** Names for what an address leads to; two that share one are the same. */
  addressKeys(address: DeviceAddress): Promise<readonly string[]>;
}

/** Keys by what was written. */
interface Found {
  readonly found: ReadonlyMap<string, readonly string[]>;
  readonly isWriting: boolean;
}

export class AddressLookUps {
  readonly #o: AddressLookUpsOptions;

  constructor(options: AddressLookUpsOptions) {
    this.#o = options;
  }

  /** @returns whether one leads elsewhere than was stored, which then is stored */
  all(): Promise<boolean> {
    const { devices, printerAddresses } = this.#o.stores;
    const kept = printerAddresses.list().flatMap((address) => writtenIn(address) ?? []);
    return this.#look(kept, () => devices.listBuiltin());
  }

  /** The same of one device, and of what is open at its address. */
  of(deviceId: string): Promise<boolean> {
    const { devices } = this.#o.stores;
    return this.#look([], () => {
      const device = devices.find(deviceId);
      return device?.managedBy === "builtin" ? [device] : [];
    });
  }

  async #look(kept: readonly DeviceAddress[], list: () => readonly Device[]): Promise<boolean> {
    const addresses = [...kept, ...list().filter(hasAddress)];
    const byText = new Map(addresses.map((address) => [addressText(address), address]));
    const looked = [...byText].map(
      async ([text, address]) => [text, await this.#o.addressKeys(address)] as const,
    );
    const found = new Map(await Promise.all(looked));
    // Nearly always all is as it was, and nothing is to be written.
    if (!this.#store(list(), { found, isWriting: false })) return false;
    return this.#o.writer.run(() => this.#store(list(), { found, isWriting: true }));
  }

  /** @returns whether anything of it differs from what is stored */
  #store(own: readonly Device[], { found, isWriting }: Found): boolean {
    const { devices, printerAddresses } = this.#o.stores;
    let differs = false;
    for (const device of own) {
      const keys = found.get(addressText(device));
      const addressKeys = keys && keysNow(device, keys);
      if (!addressKeys || Bun.deepEquals(addressKeys, device.addressKeys)) continue;
      differs = true;
      if (isWriting) devices.update(device.orgId, device.id, { addressKeys });
    }
    for (const before of printerAddresses.list()) {
      const written = writtenIn(before);
      const keys = written && found.get(addressText(written));
      const now = keys === undefined ? before : withFoundKeys(before, keys);
      if (now === before) continue;
      differs = true;
      if (isWriting) printerAddresses.renew(before, now);
    }
    return differs;
  }
}
