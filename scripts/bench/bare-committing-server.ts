/**
 * A server that commits what it reads before it answers, all of one turn in one commit: as one row
 * of a bare table, or with `gateway-rows` as the command and the event that the gateway writes, into
 * its tables with their indexes.
 */

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import { Writer } from "#db/writer.ts";

const database = openDatabase(join(mkdtempSync(join(tmpdir(), "fiscald-bench-")), "bare.db"));
const insert = process.argv[2] === "gateway-rows" ? gatewayRows(database) : bareRow(database);
const writer = new Writer(database);
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const body = await request.json();
    await writer.run(() => insert(JSON.stringify(body)));
    return Response.json(body, { status: 201 });
  },
});
console.log(`http://127.0.0.1:${server.port}`);

function bareRow({ sqlite }: Database): (body: string) => void {
  sqlite.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT)");
  const statement = sqlite.prepare("INSERT INTO rows (body) VALUES (?)");
  return (body) => statement.run(body);
}

function gatewayRows(into: Database): (body: string) => void {
  migrate(into, Date.now());
  const command = into.sqlite.prepare(
    `INSERT INTO commands (id, org_id, device_id, type, payload, status, source, created_at,
       updated_at, expires_at)
     VALUES (?, 'org000000001', 'dev_01M81B3NBSJXR3QCWEAPXKY6EW', 'print_receipt', ?, 'pending',
       'api', ?, ?, ?)`,
  );
  const event = into.sqlite.prepare(
    `INSERT INTO events (id, org_id, type, subject_id, data, created_at)
     VALUES (?, 'org000000001', 'command.updated', ?, '{"status":"pending"}', ?)`,
  );
  let count = 0;
  return (body) => {
    const number = String(count++).padStart(26, "0");
    const now = Date.now();
    command.run(`cmd_${number}`, body, now, now, now);
    event.run(`evt_${number}`, `cmd_${number}`, now);
  };
}
