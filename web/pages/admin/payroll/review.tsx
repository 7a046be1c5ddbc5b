import { useNavigate, useSearch } from '@tanstack/react-router';
import { ReviewPayroll } from '#web/features/payroll/review/review-payroll.tsx';
import { useFollowSent } from '#web/features/payroll/use-batch.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LinkButton, TextLink } from '#web/ui/link-button.tsx';

/** `/admin/payroll/review?draft=<id>`: the last look at that draft, which is then sent. */
export function PayrollReviewPage() {
  const { draft: id } = useSearch({ from: '/admin/admin/payroll/review' });
  const navigate = useNavigate();
  const follow = useFollowSent();
  if (id === undefined) {
    return (
      <>
        <Back />
        <ScreenHead />
        <EmptyState
          title="A payroll is reviewed before it is sent"
          hint="Prepare one first, or resume a draft."
          action={<LinkButton href="/admin/payroll">Send Payroll</LinkButton>}
        />
      </>
    );
  }
  return (
    <>
      <Back id={id} />
      <ReviewPayroll
        id={id}
        onSent={(sent) => {
          follow(sent);
          void navigate({ to: '/admin/payroll', search: { batch: sent.id } });
        }}
      />
    </>
  );
}

function Back({ id }: { id?: string }) {
  return (
    <p className="mb-3">
      <TextLink href={id === undefined ? '/admin/payroll' : `/admin/payroll?draft=${id}`}>
        Send Payroll
      </TextLink>
    </p>
  );
}
