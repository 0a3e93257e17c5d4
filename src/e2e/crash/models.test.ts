import { expect, test } from "bun:test";
import { DRIVER_IDS } from "#core/driver-id.ts";
import { SIMULATORS } from "#drivers/simulator/registry.ts";
import { GATE_FAMILIES, GATE_MODELS, nameOf, otherModels } from "./models.ts";

test("each driver has its devices in the crash test of the gate", () => {
  expect(new Set(GATE_MODELS.map(({ driver }) => driver))).toEqual(new Set(DRIVER_IDS));
});

test("a device has its place in one family, and what is no part of the gate is beside it", () => {
  const families = GATE_FAMILIES.map((family) => new Set(family.map(nameOf)));
  const named = [...families.flatMap((names) => [...names]), ...otherModels().map(nameOf)];
  expect(new Set(named).size).toBe(named.length);
  const models = [...SIMULATORS].flatMap(([driver, all]) =>
    [...all.keys()].map((model) => `${driver} ${model}`),
  );
  expect(models.filter((name) => !named.includes(name))).toEqual(["custom.serial xonxoff"]);
});
