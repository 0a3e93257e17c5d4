/** Where an installed fiscald has its files. */

import { existsSync } from "node:fs";
import { join } from "node:path";

export const SERVICES = ["fiscald", "fiscald-controller"] as const;

/** Copies the database elsewhere all the time, where the installer was told to. */
export const REPLICA_UNIT = "fiscald-replicate";

/** Upgrades what the Debian package installed. */
export const PACKAGE_LINE = "apt install ./fiscald_<version>_<architecture>.deb";

/** Where everything is on a machine. @param root folder that stands for the root; empty for this one */
export function pathsOf(root: string) {
  const at = (path: string): string => `${root}${path}`;
  const home = at("/usr/local/lib/fiscald");
  const state = at("/var/lib/fiscald");
  const binary = at("/usr/local/bin/fiscald");
  const unitOf = (service: string): string => at(`/etc/systemd/system/${service}.service`);
  return {
    ...{ home, state, binary, unitOf },
    packaged: at("/usr/bin/fiscald"),
    packagedUnitOf: (service: string): string => at(`/usr/lib/systemd/system/${service}.service`),
    /** Settings of what copies the database elsewhere. */
    copier: at("/etc/fiscald/litestream.yml"),
    publicKey: at("/etc/fiscald/release.pub"),
    work: join(home, "update"),
    note: join(home, "update.json"),
    former: join(home, "former"),
    /** Whoever upgrades has its lock. */
    lock: join(home, "update.lock"),
    /** The note of an update under way. */
    underWay: join(home, "under-way"),
    systemd: at("/run/systemd/system"),
  };
}

/**
 * The files of the machine whose gateway keeps its state there: this one, or the folder that stands for
 * one; undefined for the state of an executable that somebody starts by hand.
 */
export function pathsAround(stateDir: string): ReturnType<typeof pathsOf> | undefined {
  const { state } = pathsOf("");
  return stateDir.endsWith(state) ? pathsOf(stateDir.slice(0, -state.length)) : undefined;
}

/** True where systemd runs this machine and has the unit, by the installer or the package. */
export function hasService(service: (typeof SERVICES)[number] = "fiscald"): boolean {
  const { systemd, unitOf, packagedUnitOf } = pathsOf("");
  return existsSync(systemd) && [unitOf, packagedUnitOf].some((at) => existsSync(at(service)));
}

/** How a newer version comes to a machine for which nobody has a key. */
export function otherWay({
  binary,
  packaged,
}: Readonly<Record<"binary" | "packaged", string>>): string {
  const isPackage = !existsSync(binary) && existsSync(packaged);
  return isPackage ? PACKAGE_LINE : "install.sh of a version that you trust";
}
