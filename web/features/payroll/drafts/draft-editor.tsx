import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PayrollDraft } from '#contract/api.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { DraftForm, useDraftTexts } from './draft-form.tsx';
import { DraftSheet } from './draft-sheet.tsx';
import type { LoadedDraft } from './draft-work.ts';
import { useDraftWork, useOpenedDraft } from './use-draft.ts';
import '../payroll.css';
import './drafts.css';

interface Leaving {
  /** Leaves the draft, which is kept. */
  onClose: () => void;
  /** Opens another part of the payroll, or the draft that it is a part of. */
  onOpen: (draftId: string) => void;
}

/** A payroll that is prepared, with a tab for each type of wallet where it pays several. */
export function DraftEditor({ id, ...leaving }: Leaving & { id: string }) {
  // The parts that the tabs have in common stay on screen while the next one is read.
  const { data } = useQuery({
    ...apiQuery('adminGetPayrollDraft', { params: { id } }),
    placeholderData: keepPreviousData,
  });
  const wallets = data?.wallets ?? [];
  const isOneOfSeveral = wallets.length > 1 && wallets.some((wallet) => wallet.id === id);
  if (!isOneOfSeveral) return <WalletEditor key={id} id={id} {...leaving} />;
  return (
    <div className="draft-tabs">
      <Tabs
        label="Types of wallet"
        selected={id}
        onSelect={leaving.onOpen}
        tabs={wallets.map((wallet) => ({
          id: wallet.id,
          label: WALLET_LABELS[wallet.walletType],
          content: wallet.id === id && <WalletEditor key={id} id={id} {...leaving} />,
        }))}
      />
    </div>
  );
}

/** One type of wallet: what it pays at the left, whom and how much at the right. */
function WalletEditor({ id, ...leaving }: Leaving & { id: string }) {
  const { newest, opened } = useOpenedDraft(id);
  return (
    <LoadedQuery query={opened} what="the draft" lines={8}>
      {(loaded) => {
        const draft = newest.data ?? loaded.draft;
        return draft.status === 'open' ? (
          <OpenDraft opened={loaded} newest={draft} {...leaving} />
        ) : (
          <EndedDraft draft={draft} />
        );
      }}
    </LoadedQuery>
  );
}

interface OpenDraftProps extends Leaving {
  opened: LoadedDraft;
  /** As it was last read, which others may have changed. */
  newest: PayrollDraft;
}

function OpenDraft({ opened, newest, ...leaving }: OpenDraftProps) {
  const { work, state } = useDraftWork(opened, newest.version);
  const texts = useDraftTexts(state, work);
  return (
    <div className="columns run">
      <DraftForm {...{ state, work, texts }} onOpen={leaving.onOpen} />
      <DraftSheet
        {...{ state, work }}
        wallets={newest.wallets}
        onClose={leaving.onClose}
        hasWrongField={texts.isWrong}
      />
    </div>
  );
}

/** Says of a draft that it was sent or discarded. */
export function EndedDraft({ draft: { status, sentBatchId } }: { draft: PayrollDraft }) {
  return (
    <EmptyState
      title={`This draft was ${status}`}
      hint={status === 'sent' ? 'Its payroll is under History.' : 'Nobody was paid by it.'}
      action={
        sentBatchId !== null && (
          <LinkButton href={`/admin/payroll?tab=history&batch=${sentBatchId}`}>
            Open Payroll
          </LinkButton>
        )
      }
    />
  );
}
