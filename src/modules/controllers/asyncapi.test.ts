import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import schema from "@asyncapi/specs/schemas/3.0.0-without-$id.json";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { TO_CONTROLLER, TO_GATEWAY } from "#core/controller/messages.ts";
import { VERSION } from "../../version.ts";
import { asyncApiText } from "./asyncapi.ts";

const FILE = join(import.meta.dir, "../../../docs/controller-protocol.asyncapi.json");
const read = () => JSON.parse(readFileSync(FILE, "utf8"));

test("the file is that of this version: bun scripts/asyncapi.ts", () => {
  expect(readFileSync(FILE, "utf8")).toBe(asyncApiText(VERSION));
});

test("the document is valid AsyncAPI, by its own published schema", () => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  validate(read());
  expect(validate.errors ?? []).toEqual([]);
  expect(validate({ ...read(), operations: { x: { action: "shout" } } })).toBe(false);
});

test("each message is there once, on its side, with a schema that accepts what it should", () => {
  const { operations, components } = read();
  const named = (name: string): string[] =>
    operations[name].messages.map(({ $ref }: { $ref: string }) => $ref.split("/").at(-1));
  expect(named("sayToGateway")).toEqual(Object.keys(TO_GATEWAY));
  expect(named("hearFromGateway")).toEqual(Object.keys(TO_CONTROLLER));
  const ajv = new Ajv({ strict: false });
  addFormats(ajv);
  for (const [name, { payload }] of Object.entries<{ payload: object }>(components.messages)) {
    expect(ajv.validate(payload, { type: `not ${name}` })).toBe(false);
  }
  const stored = { type: "mark.stored", commandId: "cmd_1", mark: "committing" };
  expect(ajv.validate(components.messages["mark.stored"].payload, stored)).toBe(true);
});
