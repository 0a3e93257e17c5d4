import { describeCrashes } from "./shard.ts";

describeCrashes("shtrih");
