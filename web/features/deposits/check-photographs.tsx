import type { CheckImage, DepositDetails } from '#contract/api.ts';
import type { CheckSide } from '#contract/deposits.ts';
import { PATHS } from '#contract/paths.ts';
import { CHECK_SIDES } from '#contract/statuses.ts';
import { uploadFile } from '#web/api/upload.ts';
import { fileSize } from '#web/kit/file-size.ts';
import { IMAGE_ACCEPT, IMAGE_RULE } from '#web/kit/image-check.ts';
import { UploadState } from '#web/kit/upload-state.tsx';
import { useUpload } from '#web/kit/use-upload.ts';
import { FileDrop, type ChosenFile } from '#web/ui/file-drop.tsx';
import './deposit.css';

const SIDE_LABELS: Record<CheckSide, string> = {
  front: 'Front of check',
  back: 'Back of check, signed',
};

/** Both photographs of a check: taken until an administrator confirms or decides, then only looked at. */
export function CheckPhotographs({ deposit }: { deposit: DepositDetails }) {
  const { canPhotograph: isOpen } = deposit;
  const imageOf = (side: CheckSide) => deposit.images.find((image) => image.side === side);
  if (!isOpen && deposit.images.length === 0) return null;
  return (
    <section className="deposit__part" aria-label="Photographs of the check">
      <div className="photographs">
        {CHECK_SIDES.map((side) =>
          isOpen ? (
            <Photograph key={side} depositId={deposit.id} side={side} image={imageOf(side)} />
          ) : (
            <KeptPhotograph key={side} image={imageOf(side)} side={side} />
          ),
        )}
      </div>
    </section>
  );
}

interface PhotographProps {
  depositId: string;
  side: CheckSide;
  image: CheckImage | undefined;
}

function Photograph({ depositId, side, image }: PhotographProps) {
  const label = SIDE_LABELS[side];
  const upload = useUpload(
    {
      topic: 'deposits',
      sendImage: (file, onProgress) =>
        uploadFile(
          'uploadCheckImage',
          { params: { id: depositId, side }, query: { fileName: file.name } },
          file,
          onProgress,
        ),
    },
    { onUploaded: () => undefined, onFailed: () => undefined },
  );
  const isSending = upload.share !== null;
  const sent: ChosenFile | undefined =
    upload.file !== null && (isSending || upload.canRetry)
      ? {
          name: upload.file.name,
          detail: fileSize(upload.file.size),
          preview: upload.preview !== null && <Picture src={upload.preview} label={label} />,
        }
      : undefined;
  return (
    <div className="photograph">
      <FileDrop
        name={side}
        label={label}
        isRequired
        accept={IMAGE_ACCEPT}
        rule={IMAGE_RULE}
        isDisabled={isSending}
        file={sent ?? (image && chosen(image))}
        onChoose={upload.send}
      />
      <UploadState label={label} upload={upload} />
    </div>
  );
}

function KeptPhotograph({ image, side }: Pick<PhotographProps, 'image' | 'side'>) {
  if (image === undefined) return null;
  return (
    <div className="photograph">
      <Picture src={addressOfImage(image)} label={SIDE_LABELS[side]} />
      <p>{SIDE_LABELS[side]}</p>
    </div>
  );
}

function chosen(image: CheckImage): ChosenFile {
  return {
    name: image.fileName,
    detail: fileSize(image.byteSize),
    preview: <Picture src={addressOfImage(image)} label={SIDE_LABELS[image.side]} />,
  };
}

function addressOfImage({ id }: CheckImage): string {
  return PATHS.getCheckImage[1].replace('{id}', id);
}

function Picture({ src, label }: { src: string; label: string }) {
  return <img className="document-image" src={src} alt={label} />;
}
