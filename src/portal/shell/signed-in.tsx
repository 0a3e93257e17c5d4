/** Lets in who is signed in; others are led to the login, or to set-up where there is nobody yet. */

import { useQuery } from "@tanstack/react-query";
import { Activity, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Redirect, useLocation, useSearch } from "wouter";
import { PageSession, useSession } from "../api/hooks.ts";
import { queries, read } from "../api/queries.ts";
import { accessToken, currentSession, type Session, type SessionEnd } from "../api/session.ts";
import { PageSkeleton } from "../parts/page-states.tsx";
import { useLive } from "./live.ts";
import { UntilAnswered } from "./no-box.tsx";

const LoginPage = lazy(() => import("../pages/login/page.tsx"));

/** Ends that come from elsewhere while somebody is at work: signed in again, she goes on. */
const INTERRUPTIONS: readonly (SessionEnd | undefined)[] = ["ended", "expired", "unknown"];

export function SignedIn({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const last = useLast(session);
  useLive();
  if (session.kind === "unknown") return <Begin />;
  const out = session.kind === "out" ? session : undefined;
  const isOver = out !== undefined && !INTERRUPTIONS.includes(out.ended);
  if (isOver || last === undefined) return <ToLogin {...out} />;
  return (
    <>
      {out !== undefined && <SignInAgain ended={out.ended} />}
      <Activity key={last.user.id} mode={out === undefined ? "visible" : "hidden"}>
        <PageSession value={last}>{children}</PageSession>
      </Activity>
    </>
  );
}

type In = Extract<Session, { readonly kind: "in" }>;

/** Who is signed in, or was last while this page stands; another person finds nothing of the last one. */
function useLast(session: Session): In | undefined {
  const [last, setLast] = useState<In>();
  const now = session.kind === "in" ? session : last;
  if (now !== last) setLast(now);
  return now;
}

/** In the place of the page, which waits behind it with what was typed into it. */
function SignInAgain({ ended }: { readonly ended: SessionEnd | undefined }) {
  // What failed meanwhile, or happened, is read once somebody is signed in.
  useEffect(() => () => void queries.invalidateQueries(), []);
  return (
    <div data-interrupted>
      <Suspense fallback={<PageSkeleton />}>
        <LoginPage ended={ended} />
      </Suspense>
    </div>
  );
}

function Begin() {
  return <UntilAnswered {...useWhoItIs(true)} />;
}

/** Asks the browser's cookie, for as long as it is not known. */
export function useWhoItIs(isAsked: boolean) {
  const { error, refetch } = useQuery({
    queryKey: ["session"],
    // Whoever has none is told so by the session itself.
    queryFn: () =>
      // It may have been told between the drawing of the page and this question.
      currentSession().kind !== "unknown" ||
      accessToken().then(Boolean, (error) => isRefused(error) || Promise.reject(error)),
    staleTime: 0,
    retry: false,
    enabled: isAsked,
  });
  return { error, retry: () => void refetch() };
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "UNAUTHORIZED";
}

/** A new box has nobody who could log in. */
function ToLogin({ ended }: { readonly ended?: SessionEnd }) {
  const [path] = useLocation();
  const search = useSearch();
  const { data, error, refetch } = useQuery(read("/api/v1/auth/registration"));
  useEffect(() => {
    // What the last one saw is not the next one's.
    if (ended !== undefined) return;
    queries.removeQueries({ predicate: ({ queryKey }) => !isOpen(queryKey[0]) });
  }, [ended]);
  if (data === undefined) return <UntilAnswered error={error} retry={() => void refetch()} />;
  if (data.first) return <Redirect to={`/setup${location.search}${location.hash}`} replace />;
  const from = search === "" ? path : `${path}?${search}`;
  const query = new URLSearchParams({ from, ...(ended === undefined ? {} : { ended }) });
  return <Redirect to={`/login?${query}`} replace />;
}

function isOpen(path: unknown): boolean {
  return path === "/api/v1/auth/registration" || path === "session";
}
