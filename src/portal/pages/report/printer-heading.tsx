/** Whose reports these are. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { read } from "../../api/queries.ts";
import { Icon } from "../../parts/icon.tsx";
import { useWords } from "../../words/words.tsx";
import styles from "./report.module.css";

/** A printer with what to call it; empty until it is read. */
export function useNamed(deviceId: string) {
  const { t } = useWords();
  const { data: devices } = useQuery(read("/api/v1/devices"));
  const known = devices?.find(({ id }) => id === deviceId);
  return { known, name: known?.name ?? (devices === undefined ? "" : t("doubtful.removed")) };
}

interface PrinterHeadingProps {
  readonly name: string;
  readonly children?: ReactNode;
}

export function PrinterHeading({ name, children }: PrinterHeadingProps) {
  return (
    <h2 className={styles.printer}>
      <Icon name="printer" />
      <span translate="no">{name}</span>
      {children}
    </h2>
  );
}
