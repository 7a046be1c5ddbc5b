import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState, type FocusEvent } from 'react';
import type { Wallet } from '#contract/api.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { AccountCard } from './account-card.tsx';

interface AccountCarouselProps {
  wallets: readonly Wallet[];
  onWithdraw: (wallet: Wallet) => void;
  onDeposit: (wallet: Wallet) => void;
  onProve: (wallet: Wallet) => void;
  onAddBank: () => void;
  /** Left out if there is only one account. */
  onMove?: (() => void) | undefined;
  /** Left out if no other account can be opened. */
  onOpenFurther?: (() => void) | undefined;
  /** True if their money may leave: the identity is approved, and payouts are not frozen. */
  canSend: boolean;
}

/** A person's accounts next to each other. If they do not fit, they scroll one at a time. */
export function AccountCarousel({
  wallets,
  canSend,
  onWithdraw,
  onDeposit,
  onProve,
  onAddBank,
  onMove,
  onOpenFurther,
}: AccountCarouselProps) {
  const list = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const [isScrollable, setIsScrollable] = useState(false);

  useEffect(() => {
    const box = list.current;
    if (box === null) return undefined;
    const follow = () => {
      setIsScrollable(box.scrollWidth > box.clientWidth + 1);
      const cards = [...box.children];
      const left = box.getBoundingClientRect().left;
      const isAtEnd = box.scrollLeft + box.clientWidth >= box.scrollWidth - 1 && box.scrollLeft > 0;
      const first = cards.findIndex((card) => card.getBoundingClientRect().right > left + 40);
      setCurrent(isAtEnd ? cards.length - 1 : Math.max(first, 0));
    };
    follow();
    const observer = new ResizeObserver(follow);
    for (const element of [box, ...box.children]) observer.observe(element);
    box.addEventListener('scroll', follow, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', follow);
    };
  }, []);

  function showCard(index: number): void {
    list.current?.children[index]?.scrollIntoView({ inline: 'start', block: 'nearest' });
  }

  // The browser scrolls only as far as the control, and then snaps back to the previous card. Not
  // done after a pointer press: the button would move away before release, and the click would be
  // lost.
  function showFocused({ target }: FocusEvent): void {
    if (!target.matches(':focus-visible')) return;
    target.closest('.account')?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }

  return (
    <section aria-label="Accounts">
      <ul className="accounts sheet" ref={list} onFocus={showFocused}>
        {wallets.map((wallet, index) => (
          <AccountCard
            key={wallet.id}
            wallet={wallet}
            isFirst={index === 0}
            onWithdraw={onWithdraw}
            onDeposit={onDeposit}
            onProve={onProve}
            canWithdraw={canSend && BigInt(wallet.available.minor) > 0n}
          />
        ))}
      </ul>
      <div className="accounts__foot">
        <div className="accounts__more">
          {onMove !== undefined && <TextButton onPress={onMove}>Move Money</TextButton>}
          <TextButton onPress={onAddBank}>Add Bank Account</TextButton>
          {onOpenFurther !== undefined && (
            <TextButton onPress={onOpenFurther}>Open an account</TextButton>
          )}
        </div>
        {isScrollable && (
          <div className="accounts__steps num">
            <IconButton
              icon={ChevronLeft}
              label="Previous account"
              isDisabled={current === 0}
              onPress={() => showCard(current - 1)}
            />
            <span>
              {current + 1} of {wallets.length}
            </span>
            <IconButton
              icon={ChevronRight}
              label="Next account"
              isDisabled={current === wallets.length - 1}
              onPress={() => showCard(current + 1)}
            />
          </div>
        )}
      </div>
    </section>
  );
}
