import { Download, Printer } from 'lucide-react';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { saveFile } from '#web/lib/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import './security.css';

/** The recovery codes, shown once: to be copied, saved as a file, or printed. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n');
  return (
    <section className="recovery" aria-label="Recovery codes">
      <div className="recovery__head">
        <h3 className="strong">Recovery codes</h3>
        <span className="recovery__acts">
          <CopyValue value={text} label="Copy recovery codes" words="Copy" />
          <Button
            kind="quiet"
            shape="small"
            aria-label="Download recovery codes"
            onPress={() =>
              saveFile('purser-recovery-codes.txt', new Blob([`${text}\n`], { type: 'text/plain' }))
            }
          >
            <Icon of={Download} size={16} />
            Download
          </Button>
          <Button
            kind="quiet"
            shape="small"
            aria-label="Print recovery codes"
            onPress={() => window.print()}
          >
            <Icon of={Printer} size={16} />
            Print
          </Button>
        </span>
      </div>
      <p className="muted">
        If you lose your phone, one of these lets you in. Each works once. We show them only now.
      </p>
      <ol className="recovery__codes num">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
    </section>
  );
}
