import { ChevronDown, ChevronUp, Keyboard, X } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { IconButton } from '#web/ui/icon-button.tsx';
import type { StatusName } from '#web/ui/status-table.ts';
import { Status } from '#web/ui/status.tsx';
import './review.css';

/** Ways through the queue and to the shortcuts; undefined where there is nothing further. */
export interface DeskNavigation {
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onShortcuts: () => void;
}

interface ReviewFrameProps {
  /** The person it belongs to. */
  title: string;
  /** Under the title: how to reach them, since when it waits. */
  subtitle: ReactNode;
  status: StatusName | undefined;
  navigation: DeskNavigation;
  children: ReactNode;
  /** The decision bar. */
  foot?: ReactNode;
}

/**
 * The desk around one item of the queue. Its title takes the focus when another one is shown, and
 * when this one was decided, which takes its buttons away.
 */
export function ReviewFrame(props: ReviewFrameProps) {
  const { title, subtitle, status, navigation, children, foot } = props;
  return (
    <>
      <header className="full-dialog__head">
        <div className="review-head__who">
          <DeskTitle key={status}>{title}</DeskTitle>
          <p className="muted num">{subtitle}</p>
        </div>
        <div className="review-head__acts">
          {status !== undefined && <Status status={status} isFinal={status === 'approved'} />}
          <IconButton
            icon={ChevronUp}
            label="Previous in the queue"
            isDisabled={navigation.onPrevious === undefined}
            onPress={navigation.onPrevious}
          />
          <IconButton
            icon={ChevronDown}
            label="Next in the queue"
            isDisabled={navigation.onNext === undefined}
            onPress={navigation.onNext}
          />
          <IconButton icon={Keyboard} label="Keyboard shortcuts" onPress={navigation.onShortcuts} />
          <IconButton icon={X} slot="close" label="Close" />
        </div>
      </header>
      <div className="full-dialog__body">{children}</div>
      {foot !== undefined && <div className="full-dialog__foot review-bar">{foot}</div>}
    </>
  );
}

/** Takes the focus when it appears, unless the user is in a field: nobody is interrupted there. */
function DeskTitle({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement?.closest('input, textarea') == null) heading.current?.focus();
  }, []);
  return (
    <h2 className="dialog-title" tabIndex={-1} ref={heading}>
      {children}
    </h2>
  );
}
