/** What an update leaves for the gateway to tell: what it came to. Root writes it, everybody reads it. */

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { schemaCheckOf } from "#core/schema-check.ts";
import { writeDurably } from "../platform/durable-file.ts";
import { otherWay, pathsAround, pathsOf } from "./machine-paths.ts";

const OUTCOMES = ["updated", "refused", "went_back", "broken"] as const;

const Note = Type.Object({
  /** ISO 8601. */
  at: Type.String(),
  from: Type.String(),
  to: Type.String(),
  outcome: Type.Union(OUTCOMES.map((outcome) => Type.Literal(outcome))),
  reason: Type.Union([Type.String(), Type.Null()]),
  databaseRestored: Type.Boolean(),
});

/** What an update came to. */
export type UpdateNote = Static<typeof Note>;

/** Where a gateway finds what was installed on its machine. */
export interface Installed {
  /** How it came there. */
  readonly by: "archive" | "package" | "hand";
  readonly publicKey: string;
  /** How a newer version comes here without that key. */
  readonly otherWay: string;
  readonly note: string;
}

/**
 * What is known of the installation that works on a state directory.
 * @param stateDir below the root of a machine, or of a folder that stands for one
 */
export function installedAt(stateDir: string): Installed {
  const around = pathsAround(stateDir);
  const paths = around ?? pathsOf("");
  const { binary, packaged, publicKey, note } = paths;
  const by = existsSync(binary) ? "archive" : existsSync(packaged) ? "package" : "hand";
  return {
    by: around === undefined ? "hand" : by,
    ...{ publicKey, otherWay: otherWay(paths), note },
  };
}

/** Null where no update was made, or the note cannot be read. */
export function readUpdateNote(path: string): UpdateNote | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return schemaCheckOf(Note).accepts(value) ? value : null;
  } catch {
    return null;
  }
}

/** @throws the system's error */
export function writeUpdateNote(path: string, note: UpdateNote): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o711 });
  // The gateway reads it, and root writes it.
  writeDurably(path, `${JSON.stringify(note)}\n`, { mode: 0o644 });
}
