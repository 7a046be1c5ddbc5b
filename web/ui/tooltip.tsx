import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components';

interface TooltipProps {
  /** A {@link Button}. */
  children: ReactElement;
  /** Extra information, never essential, because touch does not show it. */
  content: string;
}

/**
 * Line about a control, on hover after a moment and on keyboard focus immediately. Escape hides it.
 */
export function Tooltip({ children, content }: TooltipProps) {
  return (
    <TooltipTrigger delay={600}>
      {children}
      <AriaTooltip className="tooltip" offset={6}>
        {content}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
