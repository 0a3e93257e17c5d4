import { describeCrashes } from "./shard.ts";

describeCrashes("custom-serial");
