import type { Role } from '#contract/identity.ts';
import { call } from '#web/api/client.ts';
import { MailAgain } from '#web/kit/mail-again.tsx';
import { TextLink } from '#web/ui/link-button.tsx';

interface MailBannerProps {
  area: Role;
  /** Recipient address. */
  email: string;
}

/**
 * Banner on every screen while no mail at all is sent to the user's address, not even security
 * mail.
 */
export function MailBanner({ area, email }: MailBannerProps) {
  return (
    <MailAgain send={() => call('resumeMyMail')} topic="notifications">
      <span className="strong">We cannot send you mail.</span> The mail server says that {email}{' '}
      does not exist, so a link for a new password would not reach you either.{' '}
      <TextLink href={PROFILES[area]}>Change your email address</TextLink>, or try it once more:
    </MailAgain>
  );
}

/** Address of the screen where a user changes their e-mail address. */
const PROFILES: Record<Role, string> = {
  employee: '/employee/profile?tab=security',
  admin: '/admin/profile',
};
