import { encode } from 'uqr';
import './qr-code.css';

interface QrCodeProps {
  text: string;
  /** What it is for a user who cannot see it: "QR code for your authenticator app". */
  label: string;
}

/** A text as a picture for a camera: dark on light in both themes, or it cannot be read. */
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
