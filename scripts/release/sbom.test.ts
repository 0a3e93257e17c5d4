/** The inventory as other tools read it: by the schema that CycloneDX publishes for 1.6. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { packagesNamed } from "../bundled-packages.ts";
import { RUNTIMES } from "./contents.ts";
import { digestsIn, inventory } from "./sbom.ts";

const ROOT = join(import.meta.dir, "../..");
const SCHEMAS = join(ROOT, "node_modules/@cyclonedx/cyclonedx-library/res/schema");
const BASE = "http://cyclonedx.org/schema/";

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));

function validator() {
  const schemas = Object.fromEntries(
    ["bom-1.6", "spdx", "jsf-0.82"].map((name) => [
      `${BASE}${name}.SNAPSHOT.schema.json`,
      readJson(join(SCHEMAS, `${name}.SNAPSHOT.schema.json`)),
    ]),
  );
  // Keywords for other readers stand in it, such as `meta:enum`.
  const ajv = addFormats(new Ajv({ allErrors: true, strict: false }));
  ajv.addFormat("iri-reference", /^[^\s<>"{}|\\^`]*$/);
  ajv.addFormat("idn-email", /^[^\s@]+@[^\s@]+$/);
  for (const [id, schema] of Object.entries(schemas)) ajv.addSchema(schema, id);
  const validate = ajv.getSchema(`${BASE}bom-1.6.SNAPSHOT.schema.json`);
  if (validate === undefined) throw new Error("the schema of 1.6 is gone");
  return (document: unknown): string[] =>
    validate(document) === true
      ? []
      : (validate.errors ?? []).map((fault) => `${fault.instancePath} ${fault.message}`);
}

/** Of every package that may be in an executable. */
function wholeInventory() {
  const locks = ["bun.lock", "scripts/release/runtimes/bun.lock"];
  const digests = new Map(
    locks.flatMap((path) => [...digestsIn(readFileSync(join(ROOT, path), "utf8"))]),
  );
  const { dependencies, version } = readJson(join(ROOT, "package.json"));
  const text = inventory({
    ...{ version, architecture: "arm64", commit: "c".repeat(40), epoch: 1_700_000_000, digests },
    packages: packagesNamed(ROOT, Object.keys(dependencies)),
    runtime: { name: RUNTIMES.arm64, version: Bun.version },
  });
  return { text, bom: JSON.parse(text) };
}

test("it is valid by the schema, which finds what would be wrong", () => {
  const faultsOf = validator();
  const { bom, text } = wholeInventory();
  expect(faultsOf(bom)).toEqual([]);
  for (const [right, wrong] of [
    ['"SHA-512"', '"SHA512"'],
    ['"type": "library"', '"type": "package"'],
    ['"bomFormat"', '"format"'],
    ['"id": "MIT"', '"id": "The MIT License"'],
    ['"urn:uuid:', '"uuid:'],
    ['"2023-11-14T22:13:20.000Z"', '"2023-11-14 22:13"'],
  ] as const) {
    expect(text).toContain(right);
    expect(faultsOf(JSON.parse(text.replaceAll(right, wrong))), wrong).not.toEqual([]);
  }
});
