/** Setting up: one question a screen. Each can be left and come back to; nothing said is lost. */

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Redirect, useLocation, useParams } from "wouter";
import { useSession } from "../../api/hooks.ts";
import { read } from "../../api/queries.ts";
import { accessToken } from "../../api/session.ts";
import { AlonePage } from "../../parts/alone-page.tsx";
import { PageSkeleton } from "../../parts/page-states.tsx";
import { useLive } from "../../shell/live.ts";
import { NoBox } from "../../shell/no-box.tsx";
import { useWords } from "../../words/words.tsx";
import { KeyStep } from "./key-step.tsx";
import { OwnerStep } from "./owner-step.tsx";
import { PlaceStep } from "./place-step.tsx";
import { PrinterStep } from "./printer-step.tsx";
import { Rail } from "./rail.tsx";
import { SafetyStep } from "./safety-step.tsx";
import { ShopStep } from "./shop-step.tsx";
import { isStepName, STEPS, type StepName, type StepProps } from "./steps.ts";
import { TestStep } from "./test-step.tsx";

const SHOWN = {
  place: PlaceStep,
  owner: OwnerStep,
  shop: ShopStep,
  printer: PrinterStep,
  test: TestStep,
  key: KeyStep,
  safety: SafetyStep,
} as const satisfies Record<StepName, (props: StepProps) => React.ReactNode>;

export default function SetupPage() {
  const { t } = useWords();
  const { step = STEPS[0] } = useParams();
  const session = useSession();
  const [, navigate] = useLocation();
  useLive(session.kind === "in");
  const registration = useQuery(read("/api/v1/auth/registration"));
  // Whoever comes back has a cookie.
  useEffect(() => {
    if (session.kind === "unknown") accessToken().catch(() => undefined);
  }, [session.kind]);

  if (!isStepName(step)) return <Redirect to="/setup" replace />;
  if (registration.isError) return <NoBox retry={() => void registration.refetch()} />;
  if (registration.data === undefined || session.kind === "unknown") return <PageSkeleton />;
  const isRegistered = session.kind === "in";
  const needsOwner = STEPS.indexOf(step) >= STEPS.indexOf("printer");
  if (!isRegistered && !registration.data.open) {
    return <Redirect to={`/login?from=${encodeURIComponent(`/setup/${step}`)}`} replace />;
  }
  if (needsOwner && !isRegistered) return <Redirect to="/setup" replace />;
  if (!needsOwner && isRegistered) return <Redirect to="/setup/printer" replace />;

  const next = STEPS[STEPS.indexOf(step) + 1];
  const Shown = SHOWN[step];
  return (
    <AlonePage
      isWide
      title={t(`setup.${step}.title`)}
      above={<Rail at={step} isRegistered={isRegistered} />}
    >
      <Shown
        key={step}
        needsSetupCode={registration.data.needsSetupCode}
        next={() => navigate(next === undefined ? "/" : `/setup/${next}`)}
      />
    </AlonePage>
  );
}
