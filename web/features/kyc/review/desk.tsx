import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '#web/api/query.ts';
import { FullDialog } from '#web/ui/full-dialog.tsx';
import { ReviewApplication } from './application-review.tsx';
import type { ReviewView, ReviewTarget } from './queue-words.ts';
import { areShortcutsOn, ShortcutSheet, storeShortcuts } from './shortcut-sheet.tsx';
import { useShortcuts } from './use-shortcuts.ts';
import { ReviewWallet } from './wallet-review.tsx';

interface ReviewDeskProps {
  target: ReviewTarget;
  /** The queue it was opened from: what comes before and after follows its order. */
  filter: ReviewView;
  /** The admin who reviews. */
  viewerId: string;
  onGo: (target: ReviewTarget) => void;
  onClose: () => void;
}

/** The review desk: one item of the queue at a time, the next one without leaving. */
export function ReviewDesk(props: ReviewDeskProps) {
  const { target, filter, viewerId, onGo, onClose } = props;
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const [hasShortcuts, setHasShortcuts] = useState(areShortcutsOn);
  const neighbours = useNeighbours(target, filter);
  const goTo = (other: ReviewTarget | null | undefined) =>
    other == null ? undefined : () => onGo(other);
  const navigation = {
    onPrevious: goTo(neighbours?.previous),
    onNext: goTo(neighbours?.next),
    onShortcuts: () => setIsSheetOpen(true),
  };
  useShortcuts({
    '?': navigation.onShortcuts,
    ...(hasShortcuts ? { j: navigation.onNext, k: navigation.onPrevious } : {}),
  });
  const desk = { id: target.id, viewerId, navigation, hasShortcuts };

  return (
    <FullDialog label="KYC review" onClose={onClose}>
      {target.kind === 'application' ? (
        <ReviewApplication key={target.id} {...desk} />
      ) : (
        <ReviewWallet key={target.id} {...desk} />
      )}
      {isSheetOpen && (
        <ShortcutSheet
          areOn={hasShortcuts}
          onChange={(areOn) => {
            storeShortcuts(areOn);
            setHasShortcuts(areOn);
          }}
          onClose={() => setIsSheetOpen(false)}
        />
      )}
    </FullDialog>
  );
}

/**
 * The neighbours in the queue. Kept as they were on opening: a decision that takes this one
 * out of the filtered queue must not take the way to the next one with it.
 */
function useNeighbours({ id }: ReviewTarget, filter: ReviewView) {
  const { data } = useQuery({
    ...apiQuery('adminGetReviewNeighbours', { params: { id }, query: filter }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return data;
}
