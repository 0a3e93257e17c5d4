/** The page came from a cache or just before the box went away: there is nothing to show yet. */

import { GatewayError } from "../../client/index.ts";
import { Failure } from "../parts/page-states.tsx";
import styles from "./shell.module.css";

const GONE = new GatewayError({ code: "UNREACHABLE", message: "No answer of the gateway" });

export function NoBox({ retry }: { readonly retry: () => void }) {
  return (
    <main className={styles.alone}>
      <Failure error={GONE} retry={retry} />
    </main>
  );
}
