/** The end of a form that is saved by itself: its button, and in place what became of saving. */

import { Button, type ButtonProps } from "@mantine/core";
import { GatewayError } from "../../client/index.ts";
import { useWords } from "../words/words.tsx";
import { Notice } from "./notice.tsx";
import styles from "./save-row.module.css";
import { StateMark } from "./state-mark.tsx";

interface SaveRowProps {
  /** What `useMutation` gives. */
  readonly saving: {
    readonly isPending: boolean;
    readonly isSuccess: boolean;
    readonly error: Error | null;
  };
  /** The button's word; *Save* unless given. */
  readonly action?: string;
  /** Why it was refused, where the page knows; else that it failed. */
  readonly reason?: ((error: GatewayError) => string | undefined) | undefined;
  readonly variant?: ButtonProps["variant"];
  readonly isDisabled?: boolean;
}

export function SaveRow(props: SaveRowProps) {
  const { saving, action, reason, variant = "filled", isDisabled = false } = props;
  const { t } = useWords();
  const { error } = saving;
  const known = error instanceof GatewayError ? reason?.(error) : undefined;
  const isSilent = error instanceof GatewayError && error.status === undefined;
  return (
    <>
      {error !== null && (
        <Notice
          mood="bad"
          text={known ?? t(isSilent ? "states.unreachable.text" : "save.failed")}
        />
      )}
      <div className={styles.row}>
        <Button type="submit" variant={variant} loading={saving.isPending} disabled={isDisabled}>
          {action ?? t("save.save")}
        </Button>
        <span role="status">
          {saving.isSuccess && <StateMark mood="good" word={t("save.saved")} />}
        </span>
      </div>
    </>
  );
}
