import { CopyValue } from '#web/kit/copy-value.tsx';
import { QrCode } from '#web/ui/qr-code.tsx';
import './security.css';

interface ScanCodeProps {
  /** `otpauth://totp/...` */
  uri: string;
  /** The secret in it, in base 32. */
  secret: string;
}

/** How the secret gets into the authenticator app: a picture to scan, or a key to type. */
export function ScanCode({ uri, secret }: ScanCodeProps) {
  return (
    <div className="scan">
      <QrCode text={uri} label="QR code for your authenticator app" />
      <ol className="scan__steps">
        <li>
          <p>Open an authenticator app on your phone.</p>
          <p className="meta">
            Such as 1Password, Google Authenticator or Microsoft Authenticator.
          </p>
        </li>
        <li>
          <p>Scan this picture with it.</p>
          <p className="meta">Or type the key:</p>
          <p className="scan__key num">
            {secret.match(/.{1,4}/g)?.join(' ')} <CopyValue value={secret} label="Copy the key" />
          </p>
        </li>
        <li>
          <p>Type the six digits it shows.</p>
        </li>
      </ol>
    </div>
  );
}
