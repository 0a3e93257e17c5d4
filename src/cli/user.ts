/** `fiscald user`: who may log in, for the person at the box. */

import { Command, Option } from "commander";
import { ROLES } from "#core/access.ts";
import { ApiError } from "#core/errors.ts";
import { createPasswords } from "../modules/auth/password.ts";
import { AddUserBody, NewPasswordBody } from "../modules/auth/schema.ts";
import { createUserAdmin } from "../modules/auth/user-admin.ts";
import {
  type Box,
  type BoxOptions,
  boxCommand,
  checked,
  organizationId,
  printRecords,
  timezoneOf,
  withBox,
} from "./box.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { recordTime } from "./local-time.ts";
import { printError, printJson, printLine } from "./output.ts";
import { readPasswordLine } from "./password-line.ts";
import { nextLine } from "./settings-options.ts";
import { usualPlace } from "./setup-answers.ts";
import { storedTime } from "./stored-time.ts";

const GENERATED_PASSWORD_BYTES = 15;
const PASSWORD_STDIN = "read the password from the standard input instead of making one up";

interface PasswordOptions extends BoxOptions {
  readonly passwordStdin?: true;
}

interface AddOptions extends PasswordOptions {
  readonly email: string;
  readonly name: string;
  readonly role?: string;
  readonly organization?: string;
}

export function userCommand(): Command {
  return new Command("user")
    .description("manage who may log in, at the box")
    .addCommand(listCommand())
    .addCommand(addCommand())
    .addCommand(resetPasswordCommand())
    .addCommand(resetCodeCommand())
    .addCommand(endSessionsCommand())
    .addCommand(endWaitsCommand())
    .addCommand(
      activeCommand("deactivate", "end a user's sessions and refuse further logins", false),
    )
    .addCommand(activeCommand("activate", "let a deactivated user log in again", true));
}

/** Of a command that names a user: whom there are is told where there is none of that name. */
async function ofUser<T>(command: Command, work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== "NOT_FOUND") throw error;
    const list = nextLine(command, "user", "list");
    throw new CliFailure(EXIT.usage, `${error.message}. ${list} lists them`, { cause: error });
  });
}

const adminOf = (box: Box) =>
  createUserAdmin({ ...box, passwords: createPasswords(), time: storedTime(box) });

function listCommand(): Command {
  const command = boxCommand("list", "list users");
  return command.action((options: BoxOptions) =>
    withBox(command, (box) => {
      printRecords(adminOf(box).list(options.org), options, {
        EMAIL: (user) => user.email,
        NAME: (user) => user.name,
        ROLE: (user) => user.role,
        ACTIVE: (user) => (user.active ? "yes" : "no"),
        ORGANIZATION: (user) => user.orgId,
        "LAST LOGIN": ({ orgId, lastLoginAt }) => recordTime(lastLoginAt, timezoneOf(box, orgId)),
      });
    }),
  );
}

function addCommand(): Command {
  const command = boxCommand("add", "add a user; the password is printed once")
    .requiredOption("--email <ADDRESS>", "email address")
    .requiredOption("--name <NAME>", "name of the person")
    .addOption(
      new Option("--role <ROLE>", "role (default: operator; owner of a new organization)").choices(
        ROLES,
      ),
    )
    .option("--organization <NAME>", "make a new organization, with the user as its owner")
    .option("--password-stdin", PASSWORD_STDIN);
  return command.action((options: AddOptions) =>
    withBox(command, async (box) => {
      const { email, name, organization } = options;
      const role = options.role ?? (organization === undefined ? "operator" : "owner");
      const admin = adminOf(box);
      const password = await passwordFor(box, options);
      const body = checked(AddUserBody, { email, name, role, password });
      const place =
        organization === undefined
          ? { orgId: organizationId(box, options.org) }
          : { organizationName: organization, ...usualPlace({}) };
      const user = await admin.add(place, body);
      if (options.json === true) printJson({ ...user, ...shownPassword(options, password) });
      else tell(`added ${user.email} as ${user.role}`, options, password);
    }),
  );
}

function resetPasswordCommand(): Command {
  const command = boxCommand("reset-password", "set a new password and end the user's sessions")
    .argument("<email>", "email address")
    .option("--password-stdin", PASSWORD_STDIN);
  return command.action((email: string, options: PasswordOptions) =>
    withBox(command, async (box) => {
      const { password } = checked(NewPasswordBody, { password: await passwordFor(box, options) });
      await ofUser(command, adminOf(box).resetPassword(email, password));
      if (options.json === true) printJson({ email, ...shownPassword(options, password) });
      else tell(`new password set for ${email}`, options, password);
    }),
  );
}

function resetCodeCommand(): Command {
  const command = boxCommand(
    "reset-code",
    "print a code by which a user sets a new password",
  ).argument("<email>", "email address");
  return command.action((email: string, options: BoxOptions) =>
    withBox(command, async (box) => {
      const code = await ofUser(command, adminOf(box).issueResetCode(email));
      if (options.json === true) {
        printJson({ email, code });
        return;
      }
      printError(`the code for ${email}, good for one hour and once, shown only now;`);
      printError("it is entered in the portal at /reset:");
      printLine(code);
    }),
  );
}

function endSessionsCommand(): Command {
  const command = boxCommand(
    "end-sessions",
    "end everybody's sessions for good, as after a disk or a backup was stolen",
  );
  return command.action((options: BoxOptions) =>
    withBox(command, async (box) => {
      const users = await adminOf(box).endAllAccess();
      if (options.json === true) {
        printJson({ users });
        return;
      }
      printLine(`ended the sessions and codes of ${users} users; passwords stay as they are`);
      printLine("restart the gateway: until then it goes by the former key that signs logins");
    }),
  );
}

function endWaitsCommand(): Command {
  const command = boxCommand(
    "end-waits",
    "let everybody try again who waits after wrong passwords",
  );
  return command.action((options: BoxOptions) =>
    withBox(command, async (box) => {
      const ended = await adminOf(box).endWaits();
      if (options.json === true) printJson({ ended });
      else printLine(`ended what was counted of wrong passwords and codes: ${ended}`);
    }),
  );
}

function activeCommand(name: string, description: string, active: boolean): Command {
  const command = boxCommand(name, description).argument("<email>", "email address");
  return command.action((email: string, options: BoxOptions) =>
    withBox(command, async (box) => {
      await ofUser(command, adminOf(box).setActive(email, active));
      if (options.json === true) printJson({ email, active });
      else printLine(`${email} is ${active ? "active" : "inactive"}`);
    }),
  );
}

/** The one that was given, or a new one. */
async function passwordFor({ random }: Box, options: PasswordOptions): Promise<string> {
  if (options.passwordStdin !== true) {
    return random.bytes(GENERATED_PASSWORD_BYTES).toString("base64url");
  }
  return readPasswordLine();
}

/** Only a password that was made up has to be shown. */
function shownPassword(options: PasswordOptions, password: string): { password?: string } {
  return options.passwordStdin === true ? {} : { password };
}

function tell(sentence: string, options: PasswordOptions, password: string): void {
  printError(sentence);
  if (options.passwordStdin === true) return;
  printError("the password, which is shown only now:");
  printLine(password);
}
