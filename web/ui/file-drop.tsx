import { useId, useState, type ChangeEvent, type ReactNode, type Ref } from 'react';
import { describedBy, FieldNotes, OptionalMark, RequiredMark, type FieldProps } from './field.tsx';

interface FileDropProps extends FieldProps {
  /** As the input's `accept`: "image/jpeg,image/png,image/webp". The server checks again by content. */
  accept: string;
  /** What may be chosen, shown in the empty frame: "JPEG, PNG or WebP, up to 5 MB". */
  rule: string;
  onChoose: (file: File) => void;
  /** What was chosen or uploaded. */
  file?: ChosenFile | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

export interface ChosenFile {
  name: string;
  /** "2.4 MB, 9:41 AM" */
  detail?: string | undefined;
  /** The picture, or anything that stands for it. */
  preview?: ReactNode;
}

/**
 * Chooses one file, by dialog or by dropping it. The platform's file input lies over the whole frame,
 * invisible but focusable: it takes clicks, drops and keys by itself.
 */
export function FileDrop({ accept, rule, onChoose, file, ref, ...field }: FileDropProps) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    setIsOver(false);
    const chosen = event.target.files?.[0];
    if (chosen) onChoose(chosen);
    event.target.value = ''; // so that the same file can be chosen again after an error
  };
  const input = (
    <input
      id={id}
      ref={ref}
      className="upload__input"
      type="file"
      name={field.name}
      accept={accept}
      disabled={field.isDisabled}
      aria-required={field.isRequired === true ? true : undefined}
      aria-invalid={field.error === undefined ? undefined : true}
      aria-describedby={describedBy(id, field)}
      onChange={choose}
      onBlur={field.onBlur}
      onDragEnter={() => setIsOver(true)}
      onDragLeave={() => setIsOver(false)}
      onDrop={() => setIsOver(false)}
    />
  );
  return (
    <div className="field">
      <span className="field__top">
        <label className="field__label" htmlFor={id}>
          {field.label}
          {field.isRequired === true && <RequiredMark />}
        </label>
        {field.optional === true && <OptionalMark />}
      </span>
      {file === undefined ? (
        <div
          className="upload__drop"
          data-over={isOver || undefined}
          data-invalid={field.error === undefined ? undefined : true}
        >
          <span className="btn" aria-hidden="true">
            Choose file
          </span>
          <span className="muted">{rule}</span>
          {input}
        </div>
      ) : (
        <div className="upload">
          {file.preview !== undefined && <div className="upload__preview">{file.preview}</div>}
          <div className="upload__file">
            <span>
              <span className="strong">{file.name}</span>
              {file.detail !== undefined && (
                <span className="meta upload__detail">{file.detail}</span>
              )}
            </span>
            <span className="upload__replace btn">
              <span aria-hidden="true">Replace</span>
              {input}
            </span>
          </div>
        </div>
      )}
      <FieldNotes id={id} hint={field.hint} error={field.error} />
    </div>
  );
}
