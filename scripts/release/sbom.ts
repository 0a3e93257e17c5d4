/**
 * The inventory of an executable, in CycloneDX 1.6: the runtime and every package inside, with the
 * digest that the lock file pins of each. https://cyclonedx.org/docs/1.6/json/
 */

import { createHash } from "node:crypto";
import type { Architecture } from "../build.ts";
import type { BundledPackage } from "../bundled-packages.ts";

/** What the inventory is of. */
export interface Inventoried {
  readonly version: string;
  readonly architecture: Architecture;
  /** What it was built from, as git names it. */
  readonly commit: string;
  /** When that was made, in Unix seconds. */
  readonly epoch: number;
  /** The package that the runtime comes as. */
  readonly runtime: { readonly name: string; readonly version: string };
  readonly packages: readonly BundledPackage[];
  /** Digests by `name@version`. */
  readonly digests: ReadonlyMap<string, string>;
}

/** The inventory as indented JSON; the same for the same input. */
export function inventory(what: Inventoried): string {
  const { version, architecture, commit, epoch, packages } = what;
  const self = `pkg:generic/fiscald@${version}?arch=${architecture}`;
  const runtime = {
    ...componentOf({ ...what.runtime, license: "MIT" }, what.digests),
    description: "The JavaScript runtime inside the executable",
  };
  const components = packages.map((one) => componentOf(one, what.digests));
  const refs = new Map(packages.map((one) => [one.name, purlOf(one)]));
  const document = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(`${commit} ${self}`)}`,
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1_000).toISOString(),
      component: {
        type: "application",
        "bom-ref": self,
        name: "fiscald",
        version,
        purl: self,
        licenses: [{ license: { name: "fiscald, see LICENSE" } }],
        properties: [{ name: "fiscald:commit", value: commit }],
      },
    },
    components: [runtime, ...components],
    dependencies: [
      { ref: self, dependsOn: [runtime["bom-ref"], ...components.map((one) => one["bom-ref"])] },
      ...packages.map((one) => ({
        ref: purlOf(one),
        dependsOn: one.needs.flatMap((name) => refs.get(name) ?? []).sort(),
      })),
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * The digests that a lock file of Bun pins, by `name@version`.
 * @throws SyntaxError when it is none
 */
export function digestsIn(lock: string): Map<string, string> {
  const { packages } = Bun.JSONC.parse(lock) as { packages: Record<string, readonly unknown[]> };
  return new Map(
    Object.values(packages).flatMap((entry) => {
      const digest = entry.at(-1);
      return typeof digest === "string" && digest.startsWith("sha512-")
        ? [[String(entry[0]), digest] as const]
        : [];
    }),
  );
}

type Named = Pick<BundledPackage, "name" | "version" | "license">;

/** @throws Error when the lock file knows nothing of it */
function componentOf(one: Named, digests: ReadonlyMap<string, string>) {
  const digest = digests.get(`${one.name}@${one.version}`);
  if (digest === undefined) throw new Error(`${one.name} ${one.version} is in no lock file`);
  const slash = one.name.indexOf("/");
  return {
    type: "library",
    "bom-ref": purlOf(one),
    ...(slash < 0 ? {} : { group: one.name.slice(0, slash) }),
    name: one.name.slice(slash + 1),
    version: one.version,
    hashes: [{ alg: "SHA-512", content: hexOf(digest) }],
    licenses: [licenseOf(one.license)],
    purl: purlOf(one),
  };
}

/** https://github.com/package-url/purl-spec/blob/main/types-doc/npm-definition.md */
function purlOf({ name, version }: Pick<BundledPackage, "name" | "version">): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function licenseOf(text: string) {
  if (/ (OR|AND|WITH) /.test(text)) return { expression: text };
  return /^[A-Za-z0-9.+-]+$/.test(text) ? { license: { id: text } } : { license: { name: text } };
}

function hexOf(digest: string): string {
  return Buffer.from(digest.slice("sha512-".length), "base64").toString("hex");
}

/** An identifier that is the same for the same text: RFC 9562, version 8. */
function uuidOf(text: string): string {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
