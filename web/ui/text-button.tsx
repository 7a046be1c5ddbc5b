import type { Named } from './named.ts';

type TextButtonProps = Named & { onPress: () => void };

/** Underlined action in text or next to a label. */
export function TextButton({ children, onPress, 'aria-label': label }: TextButtonProps) {
  return (
    <button type="button" className="link" aria-label={label} onClick={onPress}>
      {children}
    </button>
  );
}
