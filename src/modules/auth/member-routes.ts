/** Routes below `/org/members`. */

import { fullText } from "#core/org-rows.ts";
import { userRoutes } from "../../http/access.ts";
import { DONE, noContent, refusals, success } from "../../http/answers.ts";
import { changeJson, json } from "../../http/request-body.ts";
import {
  AddedMember,
  AddMemberBody,
  MemberAnswer,
  MemberCode,
  MemberList,
  UpdateMemberBody,
} from "./member-schema.ts";
import type { MemberService } from "./members.ts";

const LAST_OWNER = "This is the last active owner who has a password";

/** The routes over the service. */
export function memberRoutes(service: MemberService) {
  return userRoutes("admin", "Members")
    .get("/org/members", ({ principal }) => service.list(principal.orgId), {
      detail: { summary: "List members", responses: success(MemberList) },
    })
    .post(
      "/org/members",
      async ({ principal, body, status }) => status(201, await service.add(principal, body)),
      {
        body: json(AddMemberBody),
        detail: {
          summary: "Add a member",
          description:
            "Nobody can give a role above their own. Without a password the answer carries a " +
            "token by which the member sets one.",
          responses: {
            ...success(AddedMember, { status: 201 }),
            ...refusals({
              409: `There is a user with this email address. ${fullText("members")}`,
            }),
          },
        },
      },
    )
    .patch(
      "/org/members/:userId",
      async ({ principal, params: { userId }, body }) => ({
        member: await service.update(principal, userId, body),
      }),
      {
        transform({ principal, params }) {
          service.requireManageable(principal, params.userId);
        },
        body: changeJson(UpdateMemberBody),
        detail: {
          summary: "Rename a member, change the role, deactivate or reactivate",
          description:
            "A new role and a deactivation end the member's sessions. The last active owner can " +
            "be neither lowered nor deactivated.",
          responses: {
            ...success(MemberAnswer),
            ...refusals({ 409: LAST_OWNER }),
          },
        },
      },
    )
    .post(
      "/org/members/:userId/code",
      async ({ principal, params: { userId }, status }) =>
        status(201, await service.issueCode(principal, userId)),
      {
        detail: {
          summary: "Make a code by which a member sets a password",
          description:
            "For who has forgotten the password, or whose first code is lost. It replaces codes " +
            "made before; sessions go on until it is used.",
          responses: {
            ...success(MemberCode, { status: 201 }),
            ...refusals({ 409: "The member is inactive, or is the caller" }),
          },
        },
      },
    )
    .delete(
      "/org/members/:userId",
      async ({ principal, params: { userId } }) => {
        await service.remove(principal, userId);
        return noContent();
      },
      {
        detail: {
          summary: "Remove a member for good",
          description: "The last active owner cannot be removed.",
          responses: { ...DONE, ...refusals({ 409: LAST_OWNER }) },
        },
      },
    );
}
