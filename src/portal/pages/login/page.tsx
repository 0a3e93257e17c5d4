/** Signing in, and back to where one was. */

import { Anchor, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link, Redirect, useSearchParams } from "wouter";
import { GatewayError } from "../../../client/index.ts";
import { useSession } from "../../api/hooks.ts";
import { haveSignOutHeard, logIn, SESSION_ENDS, type SessionEnd } from "../../api/session.ts";
import { AlonePage } from "../../parts/alone-page.tsx";
import { DataLost } from "../../parts/data-lost.tsx";
import { Form } from "../../parts/form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { ownPath } from "../../parts/own-path.ts";
import { Pause } from "../../parts/pause.tsx";
import { useWords, type Word } from "../../words/words.tsx";

/** A box that does not answer is told again so often who has signed out. */
const TELL_EVERY_MS = 4_000;

interface LoginProps {
  /** Given where it stands in the place of a page, to which it makes way by itself. */
  readonly ended?: SessionEnd | undefined;
}

export default function LoginPage({ ended }: LoginProps) {
  const { t } = useWords();
  const session = useSession();
  const [query] = useSearchParams();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const login = useMutation({ mutationFn: () => logIn(email, password) });
  if (session.kind === "in") {
    const to = ownPath(query.get("from"), location.origin);
    return ended === undefined && <Redirect to={to} replace />;
  }

  const submit = (event: FormEvent) => {
    event.preventDefault();
    login.mutate();
  };
  return (
    <AlonePage title={t("login.title")}>
      <WhyHere ended={ended ?? query.get("ended")} />
      <Unheard />
      <Form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t("login.email")}
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <PasswordInput
            label={t("login.password")}
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            visibilityToggleButtonProps={{ "aria-label": t("login.show") }}
          />
          <Button type="submit" loading={login.isPending}>
            {t("login.submit")}
          </Button>
          {login.isError && <Notice mood="bad" text={t(reasonOf(login.error))} />}
          {login.isError && reasonOf(login.error) === "login.failed" && <DataLost />}
          {login.error instanceof GatewayError && login.error.status === 429 && (
            <Pause error={login.error} retry={undefined} />
          )}
          <Anchor
            className="tap"
            component={Link}
            href={`/forgotten?${new URLSearchParams({ email })}`}
          >
            {t("login.forgotten")}
          </Anchor>
        </Stack>
      </Form>
    </AlonePage>
  );
}

/** What ended the last session, or that there is a new password. */
function WhyHere({ ended }: { readonly ended: string | null }) {
  const { t } = useWords();
  const [query] = useSearchParams();
  if (query.has("set")) return <Notice mood="good" text={t("login.set")} />;
  if (ended === null) return null;
  const known = SESSION_ENDS.find((one) => one === ended) ?? "unknown";
  return <Notice mood="warn" text={t(`login.ended.${known}`)} />;
}

/** Who has signed out while the box was away is not out yet, whatever this page looks like. */
function Unheard() {
  const { t } = useWords();
  const { isError } = useQuery({
    queryKey: ["sign-out"],
    queryFn: haveSignOutHeard,
    ...{ staleTime: 0, retry: false },
    refetchInterval: ({ state }) => (state.status === "error" ? TELL_EVERY_MS : false),
  });
  return isError && <Notice mood="warn" text={t("login.unheard")} />;
}

function reasonOf(error: Error): Word {
  if (!(error instanceof GatewayError)) return "login.failed";
  if (error.status === 401) return "login.wrong";
  if (error.status === 429) return "login.tooOften";
  return error.status === undefined ? "states.unreachable.title" : "login.failed";
}
