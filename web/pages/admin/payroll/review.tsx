import { useNavigate, useSearch } from '@tanstack/react-router';
import { DraftScreen } from '#web/features/payroll/drafts/draft-screen.tsx';
import { ReviewPayroll } from '#web/features/payroll/review/review-payroll.tsx';
import { useFollowSent } from '#web/features/payroll/use-batch.ts';

/** `/admin/payroll/review?draft=<id>`: the last look at that draft, which is then sent. */
export function PayrollReviewPage() {
  const { draft: id } = useSearch({ from: '/admin/admin/payroll/review' });
  const navigate = useNavigate();
  const follow = useFollowSent();
  return (
    <DraftScreen
      id={id}
      empty={{
        title: 'A payroll is reviewed before it is sent',
        hint: 'Prepare one first, or resume a draft.',
      }}
    >
      {(draftId) => (
        <ReviewPayroll
          id={draftId}
          onSent={(sent) => {
            follow(sent);
            void navigate({ to: '/admin/payroll', search: { batch: sent.id } });
          }}
        />
      )}
    </DraftScreen>
  );
}
