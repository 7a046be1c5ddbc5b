import type { LucideIcon } from 'lucide-react';
import { Button, type ButtonOptions } from './button.tsx';
import { Icon } from './icon.tsx';

interface IconButtonProps extends Omit<ButtonOptions, 'kind' | 'shape' | 'pendingLabel'> {
  icon: LucideIcon;
  /** Accessible name: "Zoom in". */
  label: string;
  /** Smaller, for a line of text. */
  isSmall?: boolean;
  /** Size of the icon in pixels. */
  size?: 16 | 20;
}

/** Quiet button that shows an icon alone. */
export function IconButton(props: IconButtonProps) {
  const { icon, label, isSmall = false, size = isSmall ? 16 : 20, ...options } = props;
  return (
    <Button kind="quiet" shape={isSmall ? 'icon-small' : 'icon'} aria-label={label} {...options}>
      <Icon of={icon} size={size} />
    </Button>
  );
}
