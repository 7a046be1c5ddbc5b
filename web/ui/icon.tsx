import type { LucideIcon } from 'lucide-react';
import { classNames } from './class-names.ts';

interface IconProps {
  /** Icon component of lucide-react. */
  of: LucideIcon;
  /** Size in CSS pixels: 16 in text and buttons, 20 alone. */
  size?: 16 | 20;
}

/**
 * Icon next to words or in a labelled control. Hidden from assistive technology, because it never
 * carries the meaning alone.
 */
export function Icon({ of: Drawing, size = 20 }: IconProps) {
  return (
    <Drawing
      className={classNames('icon', size === 16 && 'icon--16')}
      strokeWidth={1.5}
      aria-hidden="true"
      focusable="false"
    />
  );
}
