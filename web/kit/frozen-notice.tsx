import { TextLink } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Time } from '#web/ui/time.tsx';

/** Reason of a button that would send money out of a frozen account. */
export const FROZEN_WHY = 'Your payouts are frozen.';

/** Says that no money can leave the person's accounts, and how that ends. */
export function FrozenNotice({ since }: { since: string }) {
  return (
    <Notice tone="caution">
      <span className="strong">
        Your payouts are frozen since <Time at={since} as="dateTime" />.
      </span>{' '}
      No money can leave your accounts until an administrator has checked and released them. Contact
      your administrator if you did not ask for this or if it takes long.{' '}
      <TextLink href="/employee/profile?tab=security">See Security</TextLink>
    </Notice>
  );
}
