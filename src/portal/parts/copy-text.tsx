/** A short text to take along: an id, an address, a code. Small and grey, it is never the message. */

import { UnstyledButton } from "@mantine/core";
import { createElement, type ReactNode, useEffect, useState } from "react";
import { useWords } from "../words/words.tsx";
import styles from "./copy-text.module.css";
import { Icon } from "./icon.tsx";

const SHOWN_MS = 2_000;

interface CopyTextProps {
  readonly text: string;
  /** Several lines of a program, shown as they are. */
  readonly isBlock?: boolean;
}

export function CopyText({ text, isBlock = false }: CopyTextProps) {
  const { t } = useWords();
  const { isCopied, copy } = useCopy(text);
  return (
    <UnstyledButton
      className={isBlock ? styles.block : styles.line}
      onClick={copy}
      title={t("copy.copy")}
    >
      {createElement("span", { className: styles.text }, ...breakable(text))}
      <Icon name={isCopied ? "check" : "copy"} size={16} />
      <span className="unseen" role="status">
        {isCopied ? t("copy.copied") : t("copy.copy")}
      </span>
    </UnstyledButton>
  );
}

const BREAK = <wbr />;
/** Behind what parts an address or a fingerprint; a line that has room for none of these breaks anywhere. */
const SEAM = /(?<=[:/?&=])(?=[^/])/;

/** A line of a program breaks at its spaces. */
function breakable(text: string): ReactNode[] {
  if (/\s/.test(text)) return [text];
  return text.split(SEAM).flatMap((part, at) => (at === 0 ? [part] : [BREAK, part]));
}

/** Puts a text on the clipboard. */
export function useCopy(text: string) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return { isCopied, copy: () => void copyText(text).then(setCopied) };
}

/** Over plain HTTP browsers have no clipboard, but still the old command. */
async function copyText(text: string): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard !== undefined) {
    return clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  return isDone;
}
