import { FileText, Image, Upload } from 'lucide-react';
import { useId, useState, type ChangeEvent, type ReactNode, type Ref } from 'react';
import { controlOf, FieldNotes, FieldTop, type FieldProps } from './field.tsx';
import { Icon } from './icon.tsx';

interface FileDropProps extends FieldProps {
  /**
   * Value of the input's `accept`: "image/jpeg,image/png,image/webp". The server checks the content
   * too.
   */
  accept: string;
  /** Requirement, shown in the empty frame: "Barcode side, in color". */
  rule: string;
  /** Kind of file. The default is an image. */
  wanted?: 'image' | 'file' | undefined;
  onChoose: (file: File) => void;
  /** Chosen or uploaded file. */
  file?: ChosenFile | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

export interface ChosenFile {
  name: string;
  /** "2.4 MB, 9:41 AM" */
  detail?: string | undefined;
  /** Picture of the file, or a replacement. */
  preview?: ReactNode;
}

/**
 * Chooses one file, in a dialog or by dropping it. The platform's file input covers the frame and
 * its button, invisible but focusable: it handles clicks, drops and keys itself.
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
    event.target.value = ''; // allows choosing the same file again after an error
  };
  const input = (
    <input
      {...controlOf(id, field)}
      ref={ref}
      className="upload__input"
      type="file"
      accept={accept}
      onChange={choose}
      onDragEnter={() => setIsOver(true)}
      onDragLeave={() => setIsOver(false)}
      onDrop={() => setIsOver(false)}
    />
  );
  return (
    <div className="field">
      <FieldTop id={id} field={field} />
      {/* Separate frames: React does not remove the input from a frame into which an extension has
          moved it. */}
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
