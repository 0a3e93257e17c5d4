/** `/reports/:id`: a report, or a date with the fiscal days that were closed on it. */

import { useParams } from "wouter";
import { isDay } from "../../parts/shop-days.ts";
import { DatePage } from "./date.tsx";
import { ReportPage } from "./report.tsx";

export default function ReportOrDatePage() {
  const { id = "" } = useParams();
  return isDay(id) ? <DatePage date={id} /> : <ReportPage reportId={id} />;
}
