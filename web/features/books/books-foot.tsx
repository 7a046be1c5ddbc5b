import { TextLink } from '#web/ui/link-button.tsx';
import { Time } from '#web/ui/time.tsx';

/** Foot of every screen: the way to the books, and the time of their last check. */
export function BooksFoot({ checkedAt }: { checkedAt: string | null }) {
  return (
    <footer className="page-foot">
      <TextLink href="/books">Books</TextLink>
      {checkedAt !== null && (
        <span className="meta">
          Every cent has two sides. Checked <Time at={checkedAt} as="shortDateTime" />.
        </span>
      )}
    </footer>
  );
}
