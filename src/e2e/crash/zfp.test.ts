import { describeCrashes } from "./shard.ts";

describeCrashes("zfp");
