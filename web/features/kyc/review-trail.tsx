import type { ApplicationReview } from '#contract/api.ts';
import { RESUBMISSION_ITEM_LABELS } from '#contract/kyc.ts';
import { Facts } from '#web/ui/facts.tsx';
import { MoneyRail } from '#web/ui/money-rail.tsx';
import { reviewRail } from './review-rail.ts';

interface ApplicationTrailProps {
  application: ApplicationReview['application'];
  applicant: ApplicationReview['employee'];
  timeZone: string;
}

/** What was done with an application so far, and what was last asked to be mended. */
export function ApplicationTrail({ application, applicant, timeZone }: ApplicationTrailProps) {
  const { resubmissionItems } = application;
  return (
    <>
      <section className="review-history">
        <h3 className="review-title">Actions history</h3>
        <MoneyRail
          label="Actions history"
          steps={reviewRail(application, applicant.name, timeZone)}
        />
      </section>
      {resubmissionItems.length > 0 && (
        <section className="review-group">
          <h3>Asked to be mended</h3>
          <Facts
            isTight
            facts={resubmissionItems.map(({ item, note }) => ({
              label: RESUBMISSION_ITEM_LABELS[item],
              value: note,
            }))}
          />
        </section>
      )}
    </>
  );
}
