/** Commands that a person settled and of which their printer is still to be asked. */

import { eq, sql } from "drizzle-orm";
import type { Baseline } from "#core/command/marks.ts";
import type { Database } from "../connection.ts";
import { openQuestions } from "../schema/questions.ts";
import { prepareLater } from "./prepared-query.ts";
import { insertWhole } from "./whole-row.ts";

export type OpenQuestion = typeof openQuestions.$inferSelect;

/** All queries on them. There are few: no printer prints another document while one is open. */
export function createOpenQuestionStore({ orm }: Database) {
  const commandId = sql.placeholder("commandId");
  const ofCommand = eq(openQuestions.commandId, commandId);
  const byCommand = prepareLater(() => orm.select().from(openQuestions).where(ofCommand));
  const all = prepareLater(() => orm.select().from(openQuestions).orderBy(openQuestions.raisedAt));
  const insert = prepareLater(() => insertWhole(orm, openQuestions).onConflictDoNothing());
  return {
    raise(question: OpenQuestion): void {
      insert.run(question);
    },
    /** The question about a command of whichever organization. */
    find(id: string): OpenQuestion | undefined {
      return byCommand.get({ commandId: id });
    },
    /** Of the whole appliance, the oldest first. */
    list(): OpenQuestion[] {
      return all.all();
    },
    /** Hands a question to a controller, anew. @returns it as it then is */
    handOver(id: string, controllerId: string): OpenQuestion | undefined {
      const epoch = sql`${openQuestions.epoch} + 1`;
      const changed = orm.update(openQuestions).set({ controllerId, epoch });
      return changed.where(eq(openQuestions.commandId, id)).returning().get();
    },
    /** Keeps what was learnt, in place of what was known before. */
    learn(id: string, baseline: Baseline): void {
      orm.update(openQuestions).set({ baseline }).where(eq(openQuestions.commandId, id)).run();
    },
    remove(id: string): void {
      orm.delete(openQuestions).where(eq(openQuestions.commandId, id)).run();
    },
  };
}
