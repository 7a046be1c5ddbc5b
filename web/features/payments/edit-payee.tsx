import type { Payee } from '#contract/api.ts';
import { billRules } from '#contract/bills.ts';
import { call } from '#web/api/client.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { payeeProblems } from './check-bill.ts';
import { PayeeFields, type PayeeValues } from './payee-fields.tsx';

interface EditPayeeProps {
  /** One outside. */
  payee: Payee & { account: NonNullable<Payee['account']> };
  onClose: () => void;
}

/** Changes a saved payee. Shown while it is mounted. */
export function EditPayee({ payee: { id, kind, name, account }, onClose }: EditPayeeProps) {
  return (
    <TaskDialog
      title="Edit payee"
      initial={{
        name,
        kind: kind === 'colleague' ? 'business' : kind,
        routingNumber: account.routingNumber,
        accountNumber: '',
        accountType: account.type,
        customerNumber: account.customerNumber,
      }}
      check={(values: PayeeValues) => payeeProblems(values, { keepsNumber: true })}
      send={({ accountNumber, ...others }: PayeeValues) => {
        const number = billRules.accountNumber.clean(accountNumber);
        const body = number === '' ? others : { ...others, accountNumber: number };
        return call('updatePayee', { params: { id }, body });
      }}
      topics={['payments']}
      done={{ title: 'Payee Updated' }}
      summary="Please check the payee"
      submit={{ label: 'Update Payee', pending: 'Saving' }}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <p className="muted">Bills already scheduled still go to the old account.</p>
          <PayeeFields fields={fields} keptLast4={account.last4} />
        </>
      )}
    </TaskDialog>
  );
}
