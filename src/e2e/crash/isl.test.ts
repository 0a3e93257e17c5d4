import { describeCrashes } from "./shard.ts";

describeCrashes("isl");
