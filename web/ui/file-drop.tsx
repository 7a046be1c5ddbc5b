import { FileText, Image, Upload } from 'lucide-react';
import { useId, useState, type ChangeEvent, type ReactNode, type Ref } from 'react';
import { describedBy, FieldNotes, OptionalMark, RequiredMark, type FieldProps } from './field.tsx';
import { Icon } from './icon.tsx';

interface FileDropProps extends FieldProps {
  /** As the input's `accept`: "image/jpeg,image/png,image/webp". The server checks again by content. */
  accept: string;
  /** What is wanted, shown in the empty frame: "Barcode side, in color". */
  rule: string;
  /** What is dropped, if no image. */
  wanted?: 'image' | 'file' | undefined;
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
 * Chooses one file, by dialog or by dropping it. The platform's file input lies over the frame and
 * its button, invisible but focusable: it takes clicks, drops and keys by itself.
 */
export function FileDrop({
  accept,
  rule,
  wanted = 'image',
  onChoose,
  file,
  ref,
  ...field
}: FileDropProps) {
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
      {/* Frames of their own: React does not take the input out of one that an extension has put it into. */}
      {file === undefined ? (
        <div
          key="empty"
          className="upload upload--empty"
          data-over={isOver || undefined}
          data-invalid={field.error === undefined ? undefined : true}
        >
          <div className="upload__drop">
            <Icon of={wanted === 'image' ? Image : FileText} size={20} />
            <span className="upload__invite strong">Drop the {wanted} here</span>
            <span className="muted">{rule}</span>
          </div>
          <div className="upload__file">
            <span className="muted">Not uploaded</span>
            <span className="btn" aria-hidden="true">
              <Icon of={Upload} size={16} />
              Choose file
            </span>
          </div>
          {input}
        </div>
      ) : (
        <div key="chosen" className="upload">
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
