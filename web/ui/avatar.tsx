import { useState } from 'react';
import { classNames } from './class-names.ts';

interface AvatarProps {
  name: string;
  /** Address of the person's picture. If it is missing or fails to load, initials are shown. */
  src?: string | null | undefined;
  size?: 'standard' | 'row' | 'large' | undefined;
  /** True next to the visible name, so that a screen reader reads it once. */
  isDecorative?: boolean | undefined;
}

/** Picture or initials of a person in a circle. The full name is its accessible name. */
export function Avatar({ name, src, size = 'standard', isDecorative = false }: AvatarProps) {
  const [failed, setFailed] = useState<string>();
  const hasPicture = src != null && src !== failed;
  const shown = {
    className: classNames('avatar', size !== 'standard' && `avatar--${size}`),
    ...(isDecorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name }),
  };
  if (hasPicture) {
    return (
      <span {...shown}>
        <img src={src} alt="" onError={() => setFailed(src)} />
      </span>
    );
  }
  const initials = initialsOf(name);
  // CSS draws the initials, so that a row's text is the name alone.
  if (isDecorative) return <span {...shown} data-initials={initials} />;
  return <span {...shown}>{initials}</span>;
}

/** First letters of the first and last word, by code point: "Maya L. Castellanos" gives "MC". */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = words.at(0);
  const last = words.length > 1 ? words.at(-1) : undefined;
  return [first, last].map((word) => word?.match(/^./u)?.[0].toLocaleUpperCase() ?? '').join('');
}
