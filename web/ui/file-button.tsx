import type { ReactNode } from 'react';
import { buttonClass, type ButtonKind } from './button.tsx';
import { classNames } from './class-names.ts';

interface FileButtonProps {
  /** Accessible name: "Upload Proof of Address". */
  label: string;
  /** Value of the input's `accept`. The server checks the content too. */
  accept: string;
  /** Opens a phone's camera instead of its files. */
  capture?: 'environment' | undefined;
  kind?: ButtonKind | undefined;
  isDisabled?: boolean | undefined;
  className?: string | undefined;
  onChoose: (file: File) => void;
  children: ReactNode;
}

/**
 * File chooser for places without room for a drop frame. Dropping a file on the button works too.
 */
export function FileButton(props: FileButtonProps) {
  const { label, accept, capture, kind, isDisabled, className, onChoose, children } = props;
  return (
    <span className={classNames(buttonClass(kind), 'upload__replace', className)}>
      <span className="file-button" aria-hidden="true">
        {children}
      </span>
      <input
        className="upload__input"
        type="file"
        accept={accept}
        capture={capture}
        aria-label={label}
        disabled={isDisabled}
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          if (chosen) onChoose(chosen);
          event.target.value = ''; // allows choosing the same file again after an error
        }}
      />
    </span>
  );
}
