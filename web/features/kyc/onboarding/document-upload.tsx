import { Camera } from 'lucide-react';
import { useState } from 'react';
import type { KycDocument } from '#contract/api.ts';
import { KYC_DOCUMENT_LABELS, type ApplicationDocumentType } from '#contract/kyc.ts';
import { DocumentImage } from '#web/features/kyc/document-image.tsx';
import { fileSize } from '#web/kit/file-size.ts';
import { IMAGE_ACCEPT } from '#web/kit/image-check.ts';
import { UploadState } from '#web/kit/upload-state.tsx';
import type { Upload } from '#web/kit/use-upload.ts';
import { FileButton } from '#web/ui/file-button.tsx';
import { FileDrop, type ChosenFile } from '#web/ui/file-drop.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useMoments } from '#web/ui/time.tsx';

interface DocumentUploadProps {
  type: ApplicationDocumentType;
  /** The one that is there, if any; a new one replaces it. */
  document: KycDocument | undefined;
  upload: Upload;
  /** The reviewer's note about the whole application, shown over the step and not repeated here. */
  notes: string | null;
  /** The side, in short. */
  rule: string;
}

/** One image of the identity document: dropped, chosen or taken; its progress, and what came of it. */
export function DocumentUpload(props: DocumentUploadProps) {
  const { type, document, upload, notes, rule } = props;
  const label = KYC_DOCUMENT_LABELS[type];
  const writeTime = useTimeOrDate();
  const isRejected = document?.status === 'rejected' && document.rejectionReason !== null;
  return (
    <div className="document-upload">
      <FileDrop
        name={type}
        label={label}
        isRequired
        accept={IMAGE_ACCEPT}
        rule={rule}
        isDisabled={upload.share !== null}
        file={shownFile(label, document, upload, writeTime)}
        onChoose={upload.send}
      />
      <TakePhoto label={label} upload={upload} />
      <UploadState label={label} upload={upload} />
      {isRejected && upload.file === null && (
        <Notice tone="critical">
          <p className="strong">
            {document.rejectionReason === notes
              ? 'This image was rejected.'
              : document.rejectionReason}
          </p>
          <p>Upload another image to replace this one.</p>
        </Notice>
      )}
    </div>
  );
}

function shownFile(
  label: string,
  document: KycDocument | undefined,
  { file, preview, share, canRetry }: Upload,
  writeTime: (at: string) => string,
): ChosenFile | undefined {
  if (file !== null && (share !== null || canRetry)) {
    const detail = canRetry ? `${fileSize(file.size)}, not uploaded` : fileSize(file.size);
    const image = preview !== null && <img className="document-image" src={preview} alt={label} />;
    return { name: file.name, detail, preview: image };
  }
  if (document === undefined) return undefined;
  return {
    name: document.fileName ?? label,
    detail: `${fileSize(document.byteSize)}, uploaded ${writeTime(document.uploadedAt)}`,
    preview: <DocumentImage document={document} />,
  };
}

/** Writes the time of today, the day of any other. */
function useTimeOrDate(): (at: string) => string {
  const [now] = useState(Date.now);
  const write = useMoments();
  return (at) => write(at, write(at, 'date') === write(now, 'date') ? 'time' : 'date');
}

/** On devices that are held: straight to the camera. Others have none that could hold a card. */
function TakePhoto({ label, upload }: { label: string; upload: Upload }) {
  return (
    <FileButton
      className="take-photo"
      accept="image/*"
      capture="environment"
      label={`Take a photo of the ${label}`}
      isDisabled={upload.share !== null}
      onChoose={upload.send}
    >
      <Icon of={Camera} size={16} />
      Take a photo
    </FileButton>
  );
}
