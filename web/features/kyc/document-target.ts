import type { KycDocumentType } from '#contract/kyc.ts';
import { uploadFile } from '#web/api/upload.ts';

/** The address to which images of a document are sent, for `useUpload`. */
export function documentTarget(type: KycDocumentType) {
  return {
    topic: 'kyc' as const,
    /** @param issuedOn date of issue, where the type has one */
    sendImage: (image: File, onProgress: (share: number) => void, issuedOn?: string) =>
      uploadFile(
        'uploadDocument',
        { params: { type }, query: { fileName: image.name, issuedOn } },
        image,
        onProgress,
      ),
  };
}
