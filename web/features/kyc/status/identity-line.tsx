import type { Session } from '#contract/api.ts';
import type { KycStatus } from '#contract/kyc.ts';
import { TextLink } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';

/** The thing that waits, and the person whose turn it is. */
const LINES: Record<
  Exclude<KycStatus, 'approved'>,
  { words: string; link: string; href: string }
> = {
  in_progress: {
    words: 'Your identity check is not finished. Complete it to withdraw money.',
    link: 'Continue your application',
    href: '/onboarding',
  },
  submitted: {
    words:
      'An administrator has not started your identity check yet. You can withdraw when it is approved.',
    link: 'See KYC Status',
    href: '/employee/kyc-status',
  },
  in_review: {
    words: 'An administrator is reviewing your identity. You can withdraw when it is approved.',
    link: 'See KYC Status',
    href: '/employee/kyc-status',
  },
  resubmit_required: {
    words: 'Your identity check needs changes from you before you can withdraw money.',
    link: 'See what to change',
    href: '/employee/kyc-status',
  },
  rejected: {
    words: 'Your identity was not approved, so money cannot be withdrawn.',
    link: 'See why',
    href: '/employee/kyc-status',
  },
};

/** State of the identity check, for a person who is not approved yet. */
export function IdentityLine({ status }: { status: Session['kycStatus'] }) {
  if (status === null || status === 'approved') return null;
  const { words, link, href } = LINES[status];
  const isTheirs = status === 'in_progress' || status === 'resubmit_required';
  return (
    <div className="identity-line">
      <Notice tone={isTheirs || status === 'rejected' ? 'caution' : 'motion'}>
        {words} <TextLink href={href}>{link}</TextLink>
      </Notice>
    </div>
  );
}
