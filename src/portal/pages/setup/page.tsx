/** Setting up: one question a screen. Each can be left and come back to; nothing said is lost. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Redirect, useLocation, useParams } from "wouter";
import { useMay, useSession } from "../../api/hooks.ts";
import { read } from "../../api/queries.ts";
import { AlonePage } from "../../parts/alone-page.tsx";
import { Forbidden } from "../../parts/page-states.tsx";
import { useLive } from "../../shell/live.ts";
import { UntilAnswered } from "../../shell/no-box.tsx";
import { useWhoItIs } from "../../shell/signed-in.tsx";
import { useWords } from "../../words/words.tsx";
import { KeyStep } from "./key-step.tsx";
import { OwnerStep } from "./owner-step.tsx";
import { PlaceStep } from "./place-step.tsx";
import { PrinterStep } from "./printer-step.tsx";
import { Rail } from "./rail.tsx";
import { SafetyStep } from "./safety-step.tsx";
import { ShopStep } from "./shop-step.tsx";
import { isStepName, STEPS, type StepName, type StepProps, takeCode } from "./steps.ts";
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
  const may = useMay("admin");
  useState(takeCode);
  const [, navigate] = useLocation();
  useLive();
  const registration = useQuery(read("/api/v1/auth/registration"));
  // Whoever comes back has a cookie.
  const whoItIs = useWhoItIs(session.kind === "unknown");

  if (!isStepName(step)) return <Redirect to="/setup" replace />;
  if (session.kind === "unknown") return <UntilAnswered {...whoItIs} />;
  if (registration.data === undefined) {
    const { error, refetch } = registration;
    return <UntilAnswered error={error} retry={() => void refetch()} />;
  }
  const isRegistered = session.kind === "in";
  const needsOwner = STEPS.indexOf(step) >= STEPS.indexOf("printer");
  if (!isRegistered && !registration.data.open) {
    return <Redirect to={`/login?from=${encodeURIComponent(`/setup/${step}`)}`} replace />;
  }
  if (needsOwner && !isRegistered) return <Redirect to="/setup" replace />;
  if (!needsOwner && isRegistered) return <Redirect to="/setup/printer" replace />;

  if (isRegistered && !may) {
    return (
      <AlonePage isWide title={t("setup.steps")}>
        <Forbidden />
      </AlonePage>
    );
  }

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
