import { Link } from 'react-aria-components';

/** The product's name over the ledger's double rule; a link home where `href` is given. */
export function Wordmark({ href }: { href?: string | undefined }) {
  if (href === undefined) return <span className="wordmark">Purser</span>;
  return (
    <Link href={href} className="wordmark">
      Purser
    </Link>
  );
}
