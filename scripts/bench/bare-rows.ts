/** What servers write that are not the gateway: bare statements. */

import type { Database } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";

/** One row of a bare table. */
export function oneRow({ sqlite }: Database): (body: string) => void {
  sqlite.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT)");
  const statement = sqlite.prepare("INSERT INTO rows (body) VALUES (?)");
  return (body) => statement.run(body);
}

/** Of so many devices the gateway's rows are: each has its own place in the indexes. */
const DEVICES = 10;

/** The command and the event that the gateway writes, into its tables with their indexes. */
export function gatewayRows(into: Database): (body: string) => void {
  migrate(into, Date.now());
  const command = into.sqlite.prepare(
    `INSERT INTO commands (id, org_id, device_id, type, payload, status, source, created_at,
       updated_at, expires_at)
     VALUES (?, 'org000000001', ?, 'print_receipt', ?, 'pending', 'api', ?, ?, ?)`,
  );
  const event = into.sqlite.prepare(
    `INSERT INTO events (id, org_id, type, subject_id, data, created_at)
     VALUES (?, 'org000000001', 'command.updated', ?, '{"status":"pending"}', ?)`,
  );
  let count = 0;
  return (body) => {
    const number = String(count++).padStart(26, "0");
    const now = Date.now();
    const device = `dev_01M81B3NBSJXR3QCWEAPXKY6E${count % DEVICES}`;
    command.run(`cmd_${number}`, device, body, now, now, now);
    event.run(`evt_${number}`, `cmd_${number}`, now);
  };
}
