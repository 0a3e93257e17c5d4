/** Sales that a version makes as it starts, on a folder that stands for a machine. */

import { Database } from "bun:sqlite";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MachineFolder } from "./machine-folder.ts";

/** A line of a gateway's script that changes the database it is started on. @param statements SQL */
export function doingLine({ folder }: MachineFolder, statements: readonly string[]): string {
  const file = join(folder, `change-${Bun.randomUUIDv7()}.ts`);
  const open = `new (require("bun:sqlite").Database)(process.argv[2])`;
  const lines = statements.map((statement) => `database.run(\`${statement}\`);`);
  writeFileSync(file, [`const database = ${open};`, ...lines, ""].join("\n"));
  return `BUN_BE_BUN=1 ${process.execPath} ${file} "$3/fiscald.db"`;
}

/** A command of that many seconds from now, as SQL. @param id of the command */
export function soldSql(seconds: number, id = "cmd_1"): string[] {
  const at = `(unixepoch() + ${seconds}) * 1000`;
  return [
    "PRAGMA foreign_keys = OFF",
    "INSERT INTO commands (id, org_id, device_id, type, payload, status, source, created_at, updated_at, expires_at)" +
      ` VALUES ('${id}', 'org', 'dev', 'x_report', '{}', 'completed', 'api', ${at}, ${at}, ${at})`,
  ];
}

/** Ids of the commands in a database. */
export function commandsIn(file: string): string[] {
  const database = new Database(file, { readonly: true });
  const found = database.query<{ id: string }, []>("SELECT id FROM commands").all();
  database.close();
  return found.map(({ id }) => id);
}
