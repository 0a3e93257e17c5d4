/** `/today`: all that a person in the shop wants to see first. */

import { scopedRoutes } from "../../http/access.ts";
import { success } from "../../http/answers.ts";
import { query, text } from "../../http/query.ts";
import { TodayAnswer } from "./schema.ts";
import type { TodayService } from "./service.ts";

/** The routes over the service. */
export function todayRoutes(service: TodayService) {
  return scopedRoutes("devices:read", "Today").get(
    "/today",
    ({ principal, query: { locationId } }) => service.today(principal, locationId),
    {
      query: query({ locationId: text() }),
      detail: {
        summary: "Get what the shop does, needs and has sold today",
        description:
          "The day begins by the clocks of the organization, or of the location that is named. " +
          "With `locationId` it is about the devices that are registered there now.",
        responses: success(TodayAnswer),
      },
    },
  );
}
