import type { ApplicationReview } from '#contract/api.ts';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { reviewRail } from './rail.ts';

interface ApplicationTrailProps {
  application: ApplicationReview['application'];
}

/** The steps of an application so far, and the corrections that were asked for. */
export function ApplicationTrail({ application }: ApplicationTrailProps) {
  return (
    <section className="review-history">
      <h3 className="review-title">Actions history</h3>
      <DatedRail label="Actions history" steps={reviewRail(application)} />
    </section>
  );
}
