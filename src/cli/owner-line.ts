/** What to type where nobody manages an organization: nobody can log in who may put things right. */

import type { Command } from "commander";
import { nextLine } from "./settings-options.ts";

/** Said above the line: what is in it works as it stands, and is nobody's. */
export const OWNER_STEP = "Make an owner, with the person's own name and address";

/** The line that makes an owner of an organization. */
export function ownerLine(command: Command, orgId: string): string {
  const person = ["--role", "owner", "--name", "Owner", "--email", "owner@shop.example"];
  return nextLine(command, "user", "add", ...person, "--org", orgId);
}
