/**
 * In place of a page whose script did not come: the box is away, or has another version since the
 * window was opened. Everything around it stays, and the next page is tried for itself.
 */

import { Button } from "@mantine/core";
import { Component, type ReactNode, useEffect } from "react";
import { useReach } from "../api/hooks.ts";
import { Refusal } from "../parts/page-states.tsx";
import { useWords } from "../words/words.tsx";

interface UnloadedProps {
  /** The page's address. */
  readonly at: string;
  readonly children: ReactNode;
}

interface UnloadedState {
  readonly hasFailed: boolean;
}

export class Unloaded extends Component<UnloadedProps, UnloadedState> {
  override readonly state: UnloadedState = { hasFailed: false };

  static getDerivedStateFromError(): UnloadedState {
    return { hasFailed: true };
  }

  override componentDidUpdate({ at }: UnloadedProps): void {
    if (at !== this.props.at && this.state.hasFailed) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <LoadAgain /> : this.props.children;
  }
}

/** A script did not come because the box was away; the browser keeps that, and a new start does not. */
let wasAway = false;

function LoadAgain() {
  const { t } = useWords();
  const isLive = useReach().kind === "live";
  useEffect(() => {
    if (!isLive) wasAway = true;
    else if (wasAway) location.reload();
  }, [isLive]);
  return (
    <Refusal words={{ title: "states.unloaded.title", text: "states.unloaded.text" }}>
      {!isLive && <p className="quiet">{t("states.byItself")}</p>}
      <Button variant="default" onClick={() => location.reload()}>
        {t("states.retry")}
      </Button>
    </Refusal>
  );
}
