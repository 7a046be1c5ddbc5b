import type { UseQueryResult } from '@tanstack/react-query';
import { Download, Printer } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import type { AccountDocument } from '#contract/api.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Paper } from './paper.tsx';
import { useDocumentsPlace } from './place.ts';

interface DocumentViewProps {
  id: string;
  query: UseQueryResult<AccountDocument>;
  /** Opens the print dialog as soon as the document has loaded. */
  isPrinted: boolean;
  back: { href: string; label: string };
  /** Actions in the bar, before printing. */
  acts?: ReactNode;
  /** Shows the proof of the entry behind a line. Undefined if proofs are not available. */
  onProve?: ((event: string) => void) | undefined;
  /** Heading of the screen while the document loads. */
  heading: ReactNode;
}

/** One document as a sheet of paper, under the bar with Print and PDF. */
export function DocumentView(props: DocumentViewProps) {
  const { id, query, isPrinted, back, acts, onProve, heading } = props;
  const document = query.data;
  const place = useDocumentsPlace();
  const isToBePrinted = isPrinted && document !== undefined;
  useEffect(() => {
    if (isToBePrinted) window.print();
  }, [isToBePrinted]);
  return (
    <>
      <div className="doc-bar">
        <span className="doc-bar__back">
          <TextLink href={back.href}>{back.label}</TextLink>
        </span>
        {document !== undefined && (
          <>
            {acts}
            <Button onPress={() => window.print()}>
              <Icon of={Printer} size={16} />
              Print
            </Button>
            <a href={place.pdf(id)} download="" className={buttonClass()}>
              <Icon of={Download} size={16} />
              Download PDF
            </a>
          </>
        )}
      </div>
      {document !== undefined && <Paper document={document} onProve={onProve} />}
      {document === undefined && (
        <>
          {heading}
          <LoadedQuery query={query} what="the document" lines={12} />
        </>
      )}
    </>
  );
}
