import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components';

interface TooltipProps {
  /** A {@link Button} of ours. */
  children: ReactElement;
  /** More about it, never what is needed: touch does not show it. */
  content: string;
}

/** A line about a control, on hover after a moment and on keyboard focus at once. Escape hides it. */
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
