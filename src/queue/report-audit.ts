/** What controllers reported and was not taken as they said it, for the audit log. */

import type { Command } from "#core/command/command.ts";
import type { Report, Reporter, Verdict } from "#core/controller/judge.ts";
import type { AuditStore } from "#db/stores/audit.ts";

/** Entries of one controller in `WINDOW_MS`: one gone wild must not fill the log. */
const ENTRIES_MAX = 100;
const WINDOW_MS = 3_600_000;

export interface ReportedThen {
  /** Undefined when the reporter's organization has none of that id. */
  readonly command: Command | undefined;
  readonly reporter: Reporter;
  readonly report: Report;
  readonly verdict: Verdict;
  /** UTC milliseconds. */
  readonly now: number;
}

export class ReportAudit {
  readonly #audit: Pick<AuditStore, "append">;
  /** Entries by controller since `#since`. */
  readonly #written = new Map<string, number>();
  #since = 0;

  constructor(audit: Pick<AuditStore, "append">) {
    this.#audit = audit;
  }

  /** Writes an entry where the verdict asks for one. Inside a transaction. */
  note({ command, reporter, report, verdict, now }: ReportedThen): void {
    if (!("audit" in verdict) || verdict.audit === undefined) return;
    const actor = `controller:${reporter.controllerId}`;
    const orgId = command?.orgId ?? reporter.orgId;
    if (orgId === null) return;
    if (!this.#hasRoom(`${reporter.orgId ?? ""}/${actor}`, now)) return;
    this.#audit.append({
      orgId,
      at: now,
      actor,
      action: verdict.kind === "refuse" ? "command.report_refused" : "command.report_doubted",
      resource: report.commandId,
      details: {
        deviceId: command?.deviceId ?? null,
        reason: verdict.audit,
        ...(verdict.kind === "refuse" ? { code: verdict.code } : {}),
        ...told(report),
      },
    });
  }

  #hasRoom(key: string, now: number): boolean {
    if (Math.abs(now - this.#since) >= WINDOW_MS) {
      this.#since = now;
      this.#written.clear();
    }
    const written = this.#written.get(key) ?? 0;
    this.#written.set(key, written + 1);
    return written < ENTRIES_MAX;
  }
}

function told(report: Report): Record<string, unknown> {
  if (report.kind === "result") return { result: report.result };
  return report.kind === "mark" ? { mark: report.mark } : {};
}
