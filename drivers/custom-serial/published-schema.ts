/** The schema of profile files as it is published, for editors and for people. */

import { ACTION_NAMES, type ActionName, ruleOf } from "./actions.ts";
import { ProfileFile } from "./profile.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const COMMAND = "#/$defs/command";

/** A JSON Schema that says of each command which values and answer fields it has. */
export function publishedSchema(): Record<string, unknown> {
  // Through JSON, because TypeBox's own marks are symbols.
  const schema = JSON.parse(JSON.stringify(ProfileFile));
  const { commands } = schema.properties;
  const [first = ""] = Object.keys(commands.properties);
  const command = commands.properties[first];
  commands.properties = Object.fromEntries(
    ACTION_NAMES.map((name) => [name, { $ref: COMMAND, description: describe(name) }]),
  );
  return { $schema: DIALECT, ...schema, $defs: { command } };
}

function describe(name: ActionName): string {
  const { variables, answer } = ruleOf(name);
  const values = Object.entries(variables).map(([value, kind]) => `{${value}} (${kind})`);
  const fields = (answer?.must ?? []).map((field) => `{${field}}`);
  const optional = (answer?.may ?? []).map((field) => `{${field}}`);
  return [
    values.length === 0 ? "No values" : `Values: ${values.join(", ")}`,
    ...(fields.length === 0 ? [] : [`the answer has ${fields.join(", ")}`]),
    ...(optional.length === 0 ? [] : [`and may have ${optional.join(", ")}`]),
  ].join("; ");
}
