import { useState } from 'react';
import type { PayrollDraft, PayrollFileCheck } from '#contract/api.ts';
import type { AbsentChoice, PayrollFileField, PayrollFileMapping } from '#contract/payroll-file.ts';
import { uploadFile } from '#web/api/upload.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { useCsvUpload } from '#web/kit/use-csv-upload.ts';

/** Columns that somebody chose, as a request has them. Without them the server finds or remembers them. */
type Columns = Partial<Record<PayrollFileField, number>> & { deductions?: string };

/** A file that was checked, with the choices that it was checked by. */
export interface CheckedFile {
  file: File;
  columns: Columns;
  /** Numbers of the rows that are left out by name. */
  leftOut: readonly number[];
  check: PayrollFileCheck;
}

/** Choices for people whom the last payroll paid and the file does not name. */
export interface AbsentChoices {
  /** Decisions by the id of the person. */
  named: ReadonlyMap<string, AbsentChoice>;
  /** For everyone else. */
  rest: AbsentChoice | undefined;
}

const NO_CHOICES: AbsentChoices = { named: new Map(), rest: undefined };

/** The choice for a person; undefined if there is none yet. */
export function choiceFor({ named, rest }: AbsentChoices, id: string): AbsentChoice | undefined {
  return named.get(id) ?? rest;
}

function queryOf({ columns, leftOut }: Pick<CheckedFile, 'columns' | 'leftOut'>) {
  return { ...columns, leftOut: leftOut.join(',') };
}

/**
 * A file of amounts for a draft. Its bytes stay in this page, and the server keeps nothing of it: it is sent with each
 * check, and once more to be filled in.
 */
export function useFileAmounts({ id }: Pick<PayrollDraft, 'id'>) {
  const [checked, setChecked] = useState<CheckedFile>();
  const [absent, setAbsent] = useState(NO_CHOICES);

  async function check(
    order: Omit<CheckedFile, 'check'>,
    onProgress: (share: number) => void = ignore,
  ): Promise<CheckedFile> {
    const input = { params: { id }, query: queryOf(order) };
    return {
      ...order,
      check: await uploadFile('adminCheckPayrollFile', input, order.file, onProgress),
    };
  }

  const upload = useCsvUpload({
    upload: async (chosen, onProgress) => {
      // The file may be changed or moved while this page is open.
      const file = new File([await chosen.arrayBuffer()], chosen.name, { type: 'text/csv' });
      return check({ file, columns: {}, leftOut: [] }, onProgress);
    },
    onChecked: (one) => {
      setAbsent(NO_CHOICES);
      setChecked(one);
    },
  });

  return {
    checked,
    upload,
    absent,
    setAbsent,
    /** Saves the rows that have errors, with the reasons. */
    async saveErrors(one: CheckedFile): Promise<void> {
      const input = { params: { id }, query: queryOf(one) };
      const { csv } = await uploadFile('adminListPayrollFileErrors', input, one.file, ignore);
      saveFile('errors.csv', new Blob([csv], { type: 'text/csv' }));
    },
    /** Checks the same file by other columns. What was left out is not any more: other rows have errors. */
    async match(one: CheckedFile, { deductions, ...mapping }: PayrollFileMapping): Promise<void> {
      const chosen = Object.entries(mapping).filter(([, index]) => index !== null);
      const columns: Columns = { ...Object.fromEntries(chosen), deductions: deductions.join(',') };
      setChecked(await check({ ...one, columns, leftOut: [] }));
    },
    /** Checks the same file with other rows left out. */
    async leaveOut(one: CheckedFile, leftOut: readonly number[]): Promise<void> {
      setChecked(await check({ ...one, leftOut }));
    },
    /** Fills in the amounts as they were checked. Refused, the file is checked again, because something has changed. */
    async fillIn(one: CheckedFile, controlTotal: string): Promise<PayrollDraft> {
      const { hash, version } = one.check;
      const choices = one.check.absent.flatMap((person) => {
        const choice = absent.named.get(person.id);
        return choice === undefined ? [] : [`${choice}.${person.id}`];
      });
      const query = {
        ...queryOf(one),
        fileName: one.file.name,
        hash,
        version,
        controlTotal,
        absent: choices.join(','),
        absentRest: absent.rest,
      };
      const input = { params: { id }, query };
      try {
        return await uploadFile('adminFillInPayrollFile', input, one.file, ignore);
      } catch (error) {
        setChecked(await check(one).catch(() => one));
        throw error;
      }
    },
  };
}

function ignore(): void {
  // Small files are sent in a moment.
}

export type FileAmountsWork = ReturnType<typeof useFileAmounts>;
