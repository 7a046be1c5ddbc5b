import type { LucideIcon } from 'lucide-react';
import { classNames } from './class-names.ts';

interface IconProps {
  /** A lucide-react icon component. */
  of: LucideIcon;
  /** In CSS pixels; 16 inside text and buttons, 20 alone. */
  size?: 16 | 20;
}

/** A drawn sign beside words or inside a labelled control; never the only carrier of a meaning, so hidden from assistive technology. */
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
