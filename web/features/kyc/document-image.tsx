import { useQuery } from '@tanstack/react-query';
import type { KycDocument } from '#contract/api.ts';
import { DOCUMENT_LINK_LIFE_S, KYC_DOCUMENT_LABELS } from '#contract/kyc.ts';
import { apiQuery } from '#web/api/query.ts';
import { SkeletonBar } from '#web/ui/skeleton.tsx';

/** A signed link to one of the person's documents; asked for again well before it ends. */
export function useDocumentLink(id: string) {
  return useQuery({
    ...apiQuery('createDocumentLink', { params: { id } }),
    staleTime: (DOCUMENT_LINK_LIFE_S / 2) * 1_000,
    gcTime: (DOCUMENT_LINK_LIFE_S / 2) * 1_000,
  });
}

/** An uploaded document, small. */
export function DocumentImage({ document }: { document: KycDocument }) {
  const link = useDocumentLink(document.id);
  if (link.data === undefined) return link.isError ? null : <SkeletonBar />;
  const { width, height, type } = document;
  return (
    <img
      className="document-image"
      src={link.data.url}
      width={width}
      height={height}
      alt={KYC_DOCUMENT_LABELS[type]}
    />
  );
}
