import { encode } from 'uqr';
import './qr-code.css';

interface QrCodeProps {
  text: string;
  /** Description for people who cannot see it: "QR code for your authenticator app". */
  label: string;
}

/** Text as a QR code. Dark on light in both themes, because cameras cannot read the reverse. */
export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <div className="qr">
      <svg
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={label}
        shapeRendering="crispEdges"
      >
        <path fill="currentColor" d={path} />
      </svg>
    </div>
  );
}
