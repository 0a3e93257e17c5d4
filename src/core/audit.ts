/** What the audit log may say was done, by the kind of what it was done to. */

/** Readers of the log, and the words of the portal, go by these names. */
export const AUDIT_ACTIONS = [
  "api_key.created",
  "api_key.revoked",
  "api_key.rotated",
  "api_key.updated",
  "backup.begun",
  "backup.settings_changed",
  "closing.made",
  "command.asked_again",
  "command.cancelled",
  "command.device_asked",
  "command.late_result",
  "command.report_doubted",
  "command.report_refused",
  "command.resolve",
  "controller.registered",
  "controller.removed",
  "controller.token_registered",
  "controller.updated",
  "device.created",
  "device.printer_accepted",
  "device.released",
  "device.removed",
  "device.state_accepted",
  "device.updated",
  "location.created",
  "location.removed",
  "location.updated",
  "organization.registered",
  "organization.updated",
  "plan.changed",
  "receipt.create",
  "receipt.put_away",
  "receipt.storno",
  "report.looked_at",
  "session.ended_by_token_reuse",
  "user.activated",
  "user.added",
  "user.deactivated",
  "user.guessed_at",
  "user.password_changed",
  "user.password_reset",
  "user.password_reset_asked",
  "user.removed",
  "user.reset_code_issued",
  "user.sessions_ended",
  "user.updated",
  "webhook.created",
  "webhook.delivery_replayed",
  "webhook.disabled",
  "webhook.removed",
  "webhook.secret_rotated",
  "webhook.tested",
  "webhook.updated",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What controllers do of their own accord and everybody calls the same. */
const NOTED: readonly string[] = ["receipt.put_away"] satisfies readonly AuditAction[];
/** Before whatever else a controller calls what it did; no name of the gateway's begins with it. */
const NOTE_PREFIX = "note.";

/** How the log calls what a controller did of its own accord. @param said as the controller calls it */
export function noteAction(said: string): string {
  return NOTED.includes(said) ? said : `${NOTE_PREFIX}${said}`;
}
