import { defineConfig } from "drizzle-kit";

/** For `bun run migration`: writes the next SQL file from the difference to the schema. */
export default defineConfig({
  dialect: "sqlite",
  schema: "./db/schema/index.ts",
  out: "./db/migrations",
});
