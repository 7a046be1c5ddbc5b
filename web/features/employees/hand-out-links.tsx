import { Printer } from 'lucide-react';
import { useState } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { WELCOME_LINK_LIFE_HOURS } from '#contract/limits.ts';
import { call } from '#web/api/client.ts';
import { useAction } from '#web/kit/action.tsx';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { counted } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DoneDialog } from '#web/ui/done-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { useMoments } from '#web/ui/time.tsx';
import './hand-out-links.css';

type Made = RouteReply<'adminCreatePasswordLinks'>;
export type LinksWay = 'mail' | 'show';

interface HandOutLinksProps {
  way: LinksWay;
  /** People of an import, or selected people. Only those without a password get a link. */
  people: { importId: string } | { personIds: readonly string[] };
  onClose: () => void;
}

/** Asks first, then mails the links, or shows them once so that they can be copied and printed. */
export function HandOutLinks({ way, people, onClose }: HandOutLinksProps) {
  const make = useAction({
    send: () =>
      'importId' in people
        ? makeForImport(people.importId, way)
        : call('adminCreatePasswordLinks', { body: { personIds: [...people.personIds], way } }),
    onDone: ({ mailedCount }) => {
      if (way === 'show') return;
      toast({
        title: 'Links Mailed',
        message: `${counted(mailedCount, 'link')} on the way.`,
        tone: 'positive',
      });
      onClose();
    },
    failed: 'Links Not Made',
  });
  if (make.data !== undefined && way === 'show') {
    return <LinkList links={make.data.links} onClose={onClose} />;
  }
  return (
    <ConfirmDialog
      title={way === 'mail' ? 'Mail links to everyone without a password?' : 'Show the links?'}
      kind="solid"
      keepLabel="Not Now"
      confirmLabel={way === 'mail' ? 'Mail Links' : 'Show Links'}
      isPending={make.isPending}
      pendingLabel={way === 'mail' ? 'Mailing the links' : 'Making the links'}
      onConfirm={() => make.mutate()}
      onClose={onClose}
    >
      <p>
        Everyone who has no password yet gets a new link to choose one. Links made before no longer
        work.
      </p>
      {way === 'show' && (
        <p className="mt-4">
          The links are shown only once. Whoever has a link can sign in as that person, so hand each
          one to its person alone.
        </p>
      )}
    </ConfirmDialog>
  );
}

/** Requests the links of an import in pages of a hundred people. */
async function makeForImport(importId: string, way: LinksWay): Promise<Made> {
  const all: Made = { links: [], mailedCount: 0 };
  for (let after: number | null = 0; after !== null;) {
    const made: RouteReply<'adminCreateImportLinks'> = await call('adminCreateImportLinks', {
      params: { id: importId },
      body: { after, way },
    });
    all.links.push(...made.links);
    all.mailedCount += made.mailedCount;
    after = made.next;
  }
  return all;
}

function LinkList({ links, onClose }: { links: Made['links']; onClose: () => void }) {
  const write = useMoments();
  const [isPrinted, setPrinted] = useState(false);
  return (
    <DoneDialog
      title={counted(links.length, 'link')}
      actions={
        links.length > 0 && (
          <Button
            onPress={() => {
              setPrinted(true);
              window.print();
            }}
          >
            <Icon of={Printer} size={16} />
            {isPrinted ? 'Print Again' : 'Print'}
          </Button>
        )
      }
      onClose={onClose}
    >
      {links.length === 0 ? (
        <EmptyState title="Everyone has a password" hint="No link is needed." />
      ) : (
        <>
          <Notice tone="caution">
            {`Shown only now. Each link works once, for ${WELCOME_LINK_LIFE_HOURS} hours.`}
          </Notice>
          <ul className="links__people" aria-label="Links">
            {links.map(({ id, name, email, url, expiresAt }) => (
              <li key={id}>
                <div>
                  <p className="strong">{name}</p>
                  <p className="muted">{email}</p>
                  <p>{url}</p>
                  <p className="meta">
                    Works until {write(expiresAt, 'long')}, {write(expiresAt, 'time')}
                  </p>
                </div>
                <CopyValue value={url} label={`Copy the link of ${name}`} words="Copy" />
              </li>
            ))}
          </ul>
        </>
      )}
    </DoneDialog>
  );
}
