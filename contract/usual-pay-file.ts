/** A file of usual pay: what its columns may be called, and what is said of its rows. */
import { IMPORT_COLUMNS } from './employee-import.ts';
import { findColumns } from './file-columns.ts';
import type { FileColumn, FileMapping } from './file-columns.ts';
import { WALLET_LABELS, WALLET_TYPES } from './wallets.ts';
import type { WalletType } from './wallets.ts';

/** Most people in one file: they are changed together, in one transaction. */
export const USUAL_PAY_FILE_ROWS = 10_000;
/** Most errors and most changes that a reply shows. */
export const USUAL_PAY_FILE_SHOWN = 200;

export const USUAL_PAY_IMPORT_STATUSES = ['checked', 'waiting', 'taken'] as const;
export type UsualPayImportStatus = (typeof USUAL_PAY_IMPORT_STATUSES)[number];

export type UsualPayImportAction = 'confirm' | 'discard';
export const usualPayImportCan = {
  confirm: ['checked', 'waiting'],
  discard: ['checked', 'waiting'],
} as const satisfies Record<UsualPayImportAction, readonly UsualPayImportStatus[]>;

/** Column of the amounts for wallets of a type. */
function walletColumn(type: WalletType, names: readonly string[]): FileColumn {
  return { label: WALLET_LABELS[type], names: [WALLET_LABELS[type].toLowerCase(), ...names] };
}

export type UsualPayFileField = 'employeeId' | 'email' | 'validFrom' | WalletType;

/** Fields of a row. One of the two that name the person, the day, and an amount at least. */
export const USUAL_PAY_FILE_COLUMNS: Readonly<Record<UsualPayFileField, FileColumn>> = {
  employeeId: {
    label: 'Employee ID',
    names: [
      'employee id',
      'employeeid',
      'employee number',
      'employee no',
      'employee no.',
      'emp id',
      'empid',
      'staff id',
      'staff no.',
      'staff number',
      'personnel number',
      'id',
    ],
  },
  email: { label: 'Email', names: IMPORT_COLUMNS.email.names },
  validFrom: {
    label: 'Valid from',
    names: ['valid from', 'validfrom', 'from', 'effective date', 'effective from', 'start date'],
  },
  salary: walletColumn('salary', ['salary', 'salary amount', 'net pay', 'net', 'pay', 'amount']),
  savings: walletColumn('savings', ['savings', 'savings account', '401k', '401(k)']),
  retirement: walletColumn('retirement', ['retirement', 'retirement account', 'ira']),
  irs: walletColumn('irs', ['irs', 'tax', 'taxes']),
};

export type UsualPayFileMapping = FileMapping<UsualPayFileField>;

export function findUsualPayColumns(header: readonly string[]): UsualPayFileMapping {
  return findColumns(header, USUAL_PAY_FILE_COLUMNS);
}

/** Columns that a file lacks, in words: "Employee ID or Email", "Valid from", "an amount column". Empty if it has all. */
export function missingUsualPayColumns(mapping: UsualPayFileMapping): string[] {
  return [
    ...(mapping.employeeId === null && mapping.email === null ? ['Employee ID or Email'] : []),
    ...(mapping.validFrom === null ? ['Valid from'] : []),
    ...(WALLET_TYPES.every((type) => mapping[type] === null)
      ? [`an amount (${WALLET_TYPES.map((type) => WALLET_LABELS[type]).join(', ')})`]
      : []),
  ];
}
