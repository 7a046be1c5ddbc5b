import type { Catalog } from './read-catalog.ts';

/**
 * Columns with values from a list in contract/ and without a CHECK: the commands write no other
 * values.
 */
const CONTRACT_TYPES: Readonly<Record<string, { type: string; from: string }>> = {
  'app_user.department': { type: 'Department', from: 'company' },
  'bill.currency': { type: 'Currency', from: 'money' },
  'payout_file.currency': { type: 'Currency', from: 'money' },
  'payout_reversal.currency': { type: 'Currency', from: 'money' },
  'return_file.currency': { type: 'Currency', from: 'money' },
  'deposit.currency': { type: 'Currency', from: 'money' },
  'deposit.method': { type: 'DepositMethodId', from: 'deposits' },
  'kyc_review_item.kind': { type: 'ReviewKind', from: 'kyc' },
  'kyc_review_item.review_status': { type: 'ReviewStatus', from: 'kyc' },
  'notification.type': { type: 'NotificationType', from: 'notifications' },
  'payroll_batch.currency': { type: 'Currency', from: 'money' },
  'payroll_batch.department': { type: "Department | 'all' | 'chosen'", from: 'company' },
  'payroll_draft.currency': { type: 'Currency', from: 'money' },
  'payroll_draft.department': { type: "Department | 'all' | 'chosen'", from: 'company' },
  'payroll_line.reason': { type: 'PayrollLineReason', from: 'payroll' },
  'standing_bill.currency': { type: 'Currency', from: 'money' },
  'withdrawal.currency': { type: 'Currency', from: 'money' },
};

/**
 * Columns of a view count as nullable. In these views none is, because each comes from one that is
 * not.
 */
const VIEWS_WITHOUT_NULL = ['kyc_review_item'];

const ONE_OF = /^CHECK \(\((\w+) = ANY \(ARRAY\[('.+)\]\)\)\)$/;
const VALUE = /'((?:[^']|'')*)'::/g;

/** Values that a CHECK allows, by `table.column`, for each CHECK of one column that lists texts. */
export function checkedValues(catalog: Catalog): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, definition] of catalog) {
    const table = /^constraint public\.(\w+)\./.exec(name)?.[1];
    const [, column, values = ''] = ONE_OF.exec(definition) ?? [];
    if (table === undefined || column === undefined) continue;
    found.set(
      `${table}.${column}`,
      Array.from(values.matchAll(VALUE), ([, value = '']) => value),
    );
  }
  return found;
}

/**
 * Row types of kysely-codegen, with a union in place of `string` where a CHECK or contract/ lists
 * the values. A row's status then has the contract's type, and needs no conversion.
 *
 * kysely-codegen has an option for this (`overrides`), but reads such types with TypeScript's own
 * parser, which TypeScript 7 does not offer.
 *
 * @throws {Error} if a listed column does not exist, or is not text
 */
export function narrowColumns(types: string, catalog: Catalog): string {
  const unions = Array.from(checkedValues(catalog), ([path, values]) => ({
    path,
    type: values.map((value) => `'${value}'`).join(' | '),
  }));
  const named = Object.entries(CONTRACT_TYPES).map(([path, { type }]) => ({ path, type }));
  let text = `${types.trim()}\n`;
  for (const { path, type } of [...unions, ...named]) text = narrowColumn(text, path, type);
  for (const view of VIEWS_WITHOUT_NULL) {
    text = text.replace(interfaceOf(view), (found) => found.replaceAll(' | null;', ';'));
  }
  return text.replace(/^import .*\n/m, (first) => first + contractImports());
}

function narrowColumn(types: string, path: string, type: string): string {
  const [table = '', column = ''] = path.split('.');
  const line = new RegExp(`^(  ${camelCase(column)}: .*)\\bstring\\b`, 'm');
  let isFound = false;
  const narrowed = types.replace(interfaceOf(table), (found) => {
    isFound = line.test(found);
    return found.replace(line, `$1${type}`);
  });
  if (!isFound) throw new Error(`No column of text: ${path}`);
  return narrowed;
}

function contractImports(): string {
  const imports = Object.values(CONTRACT_TYPES).map(
    ({ type, from }) => `import type { ${type.split(' ')[0]} } from "#contract/${from}.ts";\n`,
  );
  return [...new Set(imports)].toSorted().join('');
}

function interfaceOf(table: string): RegExp {
  return new RegExp(`^export interface ${camelCase(`_${table}`)} \\{[^}]*\\}`, 'm');
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
}
