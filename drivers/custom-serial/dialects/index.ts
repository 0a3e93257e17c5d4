/** The profiles that come with the gateway, as they would stand in files of a user. */

import customRtGen2 from "./custom-rt-gen2.json" with { type: "json" };
import customRtGen3 from "./custom-rt-gen3.json" with { type: "json" };
import customXonxoff from "./custom-xonxoff.json" with { type: "json" };

/** Speaks to a device of which nothing is known yet; all that have its frames answer to it. */
export const DEFAULT_PROFILE_ID = "custom-rt-gen3";
/** Where the device does not know what only the third and fifth generation can tell. */
export const OLDER_PROFILE_ID = "custom-rt-gen2";

export const BUILT_IN_PROFILES: readonly unknown[] = [customRtGen3, customRtGen2, customXonxoff];
