import type { Named } from './named.ts';

type TextButtonProps = Named & { onPress: () => void };

/** An underlined action within text or beside a label. */
export function TextButton({ children, onPress, 'aria-label': label }: TextButtonProps) {
  return (
    <button type="button" className="link" aria-label={label} onClick={onPress}>
      {children}
    </button>
  );
}
