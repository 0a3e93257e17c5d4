/** Lets in who is signed in; others are led to the login, or to set-up where there is nobody yet. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { Redirect, useLocation, useSearch } from "wouter";
import { useSession } from "../api/hooks.ts";
import { queries, read } from "../api/queries.ts";
import { accessToken, type SessionEnd } from "../api/session.ts";
import { PageSkeleton } from "../parts/page-states.tsx";
import { useLive } from "./live.ts";
import { NoBox } from "./no-box.tsx";

export function SignedIn({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  useLive(session.kind === "in");
  if (session.kind === "unknown") return <Begin />;
  if (session.kind === "out") return <ToLogin {...session} />;
  return children;
}

/** Asks the browser's cookie who this is. */
function Begin() {
  const { isError, refetch } = useQuery({
    queryKey: ["session"],
    // Whoever has none is told so by the session itself.
    queryFn: () =>
      accessToken().then(Boolean, (error) => isRefused(error) || Promise.reject(error)),
    staleTime: 0,
  });
  return isError ? <NoBox retry={() => void refetch()} /> : <PageSkeleton />;
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "UNAUTHORIZED";
}

/** A new box has nobody who could log in. */
function ToLogin({ ended }: { readonly ended?: SessionEnd }) {
  const [path] = useLocation();
  const search = useSearch();
  const { data, isError, refetch } = useQuery(read("/api/v1/auth/registration"));
  useEffect(() => {
    // What the last one saw is not the next one's.
    if (ended !== undefined) return;
    queries.removeQueries({ predicate: ({ queryKey }) => !isOpen(queryKey[0]) });
  }, [ended]);
  if (isError) return <NoBox retry={() => void refetch()} />;
  if (data === undefined) return <PageSkeleton />;
  if (data.first) return <Redirect to="/setup" replace />;
  const from = search === "" ? path : `${path}?${search}`;
  const query = new URLSearchParams({ from, ...(ended === undefined ? {} : { ended }) });
  return <Redirect to={`/login?${query}`} replace />;
}

function isOpen(path: unknown): boolean {
  return path === "/api/v1/auth/registration" || path === "session";
}
