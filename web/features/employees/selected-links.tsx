import { useState } from 'react';
import type { Employee } from '#contract/api.ts';
import { MAX_PASSWORD_LINKS } from '#contract/limits.ts';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { HandOutLinks } from './hand-out-links.tsx';

interface SelectedLinksProps {
  people: readonly Employee[];
  /** True if a mail server is configured. */
  isMailed: boolean;
}

/** Links to choose a first password, for the invited people in a selection. */
export function SelectedLinks({ people, isMailed }: SelectedLinksProps) {
  const [isOpen, setOpen] = useState(false);
  const invited = people.filter(({ standing }) => standing === 'invited');
  if (invited.length === 0) return null;
  const way = isMailed ? 'mail' : 'show';
  return (
    <>
      <Button
        why={
          invited.length > MAX_PASSWORD_LINKS
            ? `Select at most ${formatCount(MAX_PASSWORD_LINKS)} invited people`
            : undefined
        }
        onPress={() => setOpen(true)}
      >
        {way === 'mail' ? 'Mail Links' : 'Print Links'}
      </Button>
      {isOpen && (
        <HandOutLinks
          way={way}
          people={{ personIds: invited.map(({ id }) => id) }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
