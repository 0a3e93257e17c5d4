/** To where one came from: the list as it was left, or its beginning. */

import { Link } from "wouter";
import styles from "./back-link.module.css";
import { Icon } from "./icon.tsx";

/** @param props.href of the list, for who did not come from there */
export function BackLink({ href, text }: { readonly href: string; readonly text: string }) {
  return (
    <Link
      className={`${styles.back} no-print`}
      href={href}
      onClick={(event) => {
        if (!isFromList()) return;
        event.preventDefault();
        history.back();
      }}
    >
      <Icon name="back" />
      {text}
    </Link>
  );
}

/** Rows of lists link with this state. */
function isFromList(): boolean {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && "fromList" in state;
}
