import { ACCOUNT_FORMAT_OF } from '#contract/account-formats.ts';
import { call } from '#web/api/client.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { useCompany } from '#web/lib/company.ts';
import {
  changeProblems,
  payeeChange,
  PayeeFields,
  payeeValues,
  type OutsidePayee,
  type PayeeValues,
} from './payee-fields.tsx';

interface EditPayeeProps {
  payee: OutsidePayee;
  onClose: () => void;
}

/** Changes a saved payee. Shown while it is mounted. */
export function EditPayee({ payee, onClose }: EditPayeeProps) {
  const { currency } = useCompany();
  const format = ACCOUNT_FORMAT_OF[currency];
  return (
    <TaskDialog
      title="Edit payee"
      initial={payeeValues(payee, format)}
      check={(values: PayeeValues) => changeProblems(values, payee, format)}
      send={(values: PayeeValues) =>
        call('updatePayee', { params: { id: payee.id }, body: payeeChange(values, format) })
      }
      topics={['payments']}
      done={{ title: 'Payee Updated' }}
      summary="Please check the payee"
      submit={{ label: 'Update Payee', pending: 'Saving' }}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <p className="muted">Bills already scheduled still go to the old account.</p>
          <PayeeFields fields={fields} kept={payee.account} />
        </>
      )}
    </TaskDialog>
  );
}
