import type { ApplicationReview } from '#contract/api.ts';
import { Notice } from '#web/ui/notice.tsx';

/** Both names where the account has another one than the application; nothing where they are equal. */
export function NameNotice({
  review: { nameMatch, employee, application },
}: {
  review: Pick<ApplicationReview, 'nameMatch' | 'employee' | 'application'>;
}) {
  if (nameMatch === null || nameMatch === 'equal') return null;
  return (
    <Notice tone="caution">
      <p className="strong">
        {nameMatch === 'similar'
          ? 'The name is similar to the one of the account'
          : 'The name differs from the one of the account'}
      </p>
      <p>
        The account is {employee.name}&rsquo;s; the application says {application.answers.fullName}.
      </p>
    </Notice>
  );
}
