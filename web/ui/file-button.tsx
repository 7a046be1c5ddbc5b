import type { ReactNode } from 'react';
import { buttonClass, type ButtonKind } from './button.tsx';
import { classNames } from './class-names.ts';

interface FileButtonProps {
  /** Its accessible name: "Upload Proof of Address". */
  label: string;
  /** As the input's `accept`. The server checks again by content. */
  accept: string;
  /** Opens a phone's camera instead of its files. */
  capture?: 'environment' | undefined;
  kind?: ButtonKind | undefined;
  isDisabled?: boolean | undefined;
  className?: string | undefined;
  onChoose: (file: File) => void;
  children: ReactNode;
}

/** Chooses a file where there is no room for a frame to drop it in; a drop on the button works too. */
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
          event.target.value = ''; // so that the same file can be chosen again after an error
        }}
      />
    </span>
  );
}
