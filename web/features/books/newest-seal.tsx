import { Copy, Printer } from 'lucide-react';
import type { RouteReply } from '#contract/api.ts';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Time } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast-queue.ts';

type Newest = NonNullable<RouteReply<'getBooksPage'>['newest']>;

/** Characters of a group, and where each of the 16 groups of a root begins. */
const GROUP = 4;
const GROUPS = Array.from({ length: 16 }, (_, index) => index * GROUP);

/** The newest root of the sealed books, to copy or print. */
export function NewestSeal({ newest: { height, root, sealedAt } }: { newest: Newest }) {
  return (
    <section className="seal">
      <h2>The newest seal</h2>
      <p>
        This number is made from every entry up to its time. Copy or print it and keep it. If
        anybody changed one cent of the past, the books could never give this number again.
      </p>
      <div className="seal__root" translate="no">
        {GROUPS.map((at) => (
          <span key={at}>{root.slice(at, at + GROUP)}</span>
        ))}
      </div>
      <div className="seal__foot">
        <span className="meta num">
          Block {formatCount(Number(height))}, sealed <Time at={sealedAt} as="dateTime" />
        </span>
        <Button onPress={() => void copy(GROUPS.map((at) => root.slice(at, at + GROUP)).join(' '))}>
          <Icon of={Copy} size={16} />
          Copy
        </Button>
        <Button onPress={() => window.print()}>
          <Icon of={Printer} size={16} />
          Print
        </Button>
      </div>
    </section>
  );
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ title: 'Copied!' });
  } catch {
    toast({ title: 'Not copied', message: 'Select the number to copy it.', tone: 'critical' });
  }
}
