import type { AdminDeposit, RouteReply } from '#contract/api.ts';
import type { Money } from '#contract/money.ts';
import { PATHS } from '#contract/paths.ts';
import './deposit.css';

/** Amount and fee: what the person sends. */
export function totalOf({ amount, fee }: Pick<AdminDeposit, 'amount' | 'fee'>): Money {
  return { ...amount, minor: (BigInt(amount.minor) + BigInt(fee.minor)).toString() };
}

/** The photographs of a mobile check, for the admin who compares them. */
export function CheckImages({ images }: { images: RouteReply<'adminGetDeposit'>['images'] }) {
  if (images.length === 0) return null;
  return (
    <div className="photographs">
      {images.map((image) => (
        <img
          key={image.id}
          className="document-image"
          src={PATHS.adminGetCheckImage[1].replace('{id}', image.id)}
          width={image.width}
          height={image.height}
          alt={`${image.side === 'front' ? 'Front' : 'Back'} of check`}
        />
      ))}
    </div>
  );
}
