/** Types of what goes in and comes out of every operation. Types only: the browser pays nothing. */
import type { z } from 'zod';
import type { ListOperations, ListShape } from './list.ts';
import type { ROUTES } from './routes/all.ts';

type Routes = typeof ROUTES;
export type RouteName = keyof Routes;

type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;
type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : never;
type Part<Name extends RouteName, Key extends 'params' | 'query' | 'body'> =
  Routes[Name] extends Record<Key, infer Schema> ? Schema : never;

type Given<Key extends string, Value> = [Value] extends [never] ? object : Record<Key, Value>;
/** A query, or an optional body, whose fields all have defaults may be left out. */
type Optional<Key extends string, Value> = [Value] extends [never]
  ? object
  : object extends Value
    ? Partial<Record<Key, Value>>
    : Record<Key, Value>;

/** Input from a caller: `params`, `query` and `body`, each only if the operation has it. */
export type RouteInput<Name extends RouteName> = Given<'params', InputOf<Part<Name, 'params'>>> &
  Optional<'query', InputOf<Part<Name, 'query'>>> &
  (Routes[Name]['isBodyOptional'] extends true
    ? Optional<'body', InputOf<Part<Name, 'body'>>>
    : Given<'body', InputOf<Part<Name, 'body'>>>);

/** Input of a handler after validation: defaults filled, text trimmed. */
export type RouteArguments<Name extends RouteName> = Given<
  'params',
  OutputOf<Part<Name, 'params'>>
> &
  Given<'query', OutputOf<Part<Name, 'query'>>> &
  Given<'body', OutputOf<Part<Name, 'body'>>>;

/** The JSON that comes back; a CSV, an image or a PDF operation has none. */
export type RouteReply<Name extends RouteName> = OutputOf<Routes[Name]['reply']>;

/** A list with its operations. */
export interface ListDeclaration extends ListShape {
  readonly operations: ListOperations<RouteName>;
}

export type Session = RouteReply<'getSession'>;
export type User = NonNullable<Session['user']>;
export type Wallet = RouteReply<'listWallets'>['accounts'][number];
export type Question = RouteReply<'listQuestions'>['questions'][number];
export type AdminQuestion = RouteReply<'adminListQuestions'>['items'][number];
export type BankAccount = RouteReply<'listBankAccounts'>['items'][number];
export type AdminBankAccount = RouteReply<'adminListBankAccounts'>['items'][number];
export type Withdrawal = RouteReply<'getWithdrawal'>;
export type AdminWithdrawal = RouteReply<'adminListWithdrawals'>['items'][number];
export type PayoutFile = RouteReply<'adminCancelPayoutFile'>;
export type PayoutFileDetails = RouteReply<'adminGetPayoutFile'>;
export type PayoutReversal = RouteReply<'adminCancelPayoutReversal'>;
export type PayoutContext = RouteReply<'adminGetWithdrawal'>['context'];
export type KycApplication = RouteReply<'getMyApplication'>;
export type KycDocument = KycApplication['documents'][number];
export type Verification = RouteReply<'getMyVerification'>;
export type DocumentLink = RouteReply<'createDocumentLink'>;
export type ReviewItem = RouteReply<'adminListReviewQueue'>['items'][number];
export type ApplicationReview = RouteReply<'adminGetApplication'>;
export type VerificationReview = RouteReply<'adminGetVerification'>;
export type ReviewClaim = RouteReply<'adminClaimReview'>;
export type Employee = RouteReply<'adminListEmployees'>['items'][number];
export type Owed = RouteReply<'adminGetOwed'>;
export type NextPay = RouteReply<'adminGetNextPay'>;
export type UsualPay = RouteReply<'adminGetUsualPay'>;
export type UsualPayImport = NonNullable<RouteReply<'adminGetUsualPayImport'>['latest']>;
export type UsualPayChange = UsualPay['changes'][number];
export type EmployeePage = RouteReply<'adminGetEmployee'>;
export type EmployeeImport = NonNullable<RouteReply<'adminGetImport'>['latest']>;
export type ImportRow = RouteReply<'adminListImportRows'>['items'][number];
export type AddedEmployee = RouteReply<'adminAddEmployee'>;
export type AdminDashboard = RouteReply<'adminGetDashboard'>;
export type Books = RouteReply<'adminGetBooks'>;
export type Admin = RouteReply<'adminListAdmins'>['items'][number];
export type AdminInvite = RouteReply<'adminListInvites'>['items'][number];
export type ApiKey = RouteReply<'adminListApiKeys'>['items'][number];
export type SavedView = RouteReply<'adminListSavedViews'>['items'][number];
export type Webhook = RouteReply<'adminListWebhooks'>['items'][number];
export type WebhookDelivery = RouteReply<'adminListWebhookDeliveries'>['items'][number];
export type AuditEvent = RouteReply<'adminListAudit'>['items'][number];
export type AuditEventDetails = RouteReply<'adminGetAuditEvent'>;
export type SettingsReply = RouteReply<'adminGetSettings'>;
export type SetupReply = RouteReply<'adminGetSetup'>;
export type FailedDelivery = RouteReply<'adminListFailedDeliveries'>['items'][number];
export type Deposit = RouteReply<'requestDeposit'>;
export type DepositDetails = RouteReply<'getDeposit'>;
export type DepositInstructions = NonNullable<DepositDetails['instructions']>;
export type CheckImage = RouteReply<'uploadCheckImage'>;
export type DepositOptions = RouteReply<'getDepositOptions'>;
export type AdminDeposit = RouteReply<'adminListDeposits'>['items'][number];
export type PersonPayment = RouteReply<'payPerson'>;
export type Recipient = RouteReply<'findRecipient'>;
export type Payee = RouteReply<'listPayees'>['items'][number];
export type Bill = RouteReply<'scheduleBill'>;
export type AutomaticTransfers = RouteReply<'changeAutomaticTransfers'>;
export type StandingBill = RouteReply<'stopStandingBill'>;
export type AdminBill = RouteReply<'adminSendBill'>;
export type AlreadyPaid = NonNullable<RouteReply<'adminPreviewPayroll'>['alreadyPaid']>;
export type PaidThisPeriod = NonNullable<
  RouteReply<'adminPreviewPayroll'>['payable'][number]['paid']
>;
export type PayrollBatch = RouteReply<'adminGetPayrollBatch'>;
export type PaidPerson = RouteReply<'adminListPaid'>['items'][number];
export type PayrollLine = RouteReply<'adminListPayrollLines'>['items'][number];
export type Recovery = RouteReply<'adminProposeRecovery'>;
export type PayrollDraft = RouteReply<'adminGetPayrollDraft'>;
export type PayrollFileCheck = RouteReply<'adminCheckPayrollFile'>;
export type PayrollPreview = RouteReply<'adminPreviewPayroll'>;
export type FundableEmployee = RouteReply<'adminListFundable'>['items'][number];
export type FundingAccounts = RouteReply<'adminGetFundingAccounts'>;
export type Funding = RouteReply<'adminFundEmployee'>;
export type LoggedTransaction = RouteReply<'adminListTransactions'>['items'][number];
export type TransactionPage = RouteReply<'adminGetTransaction'>;
export type HistoryItem = RouteReply<'listHistory'>['items'][number];
export type EventProof = RouteReply<'proveEvent'>;
export type BalanceProof = RouteReply<'proveBalance'>;
export type TotalProof = RouteReply<'proveTotal'>;
export type ProvenMovement = EventProof['movement'];
export type ProvenEntry = Omit<ProvenMovement['entries'][number], 'account' | 'isOwn'>;
export type SealProof = NonNullable<ProvenMovement['proof']>;
export type AccountSeal = EventProof['accounts'][number];
export type SealedBlock = SealProof['block'];
export type AccountDocument = RouteReply<'getAccountDocument'>;
export type AccountDocuments = RouteReply<'listAccountDocuments'>;
export type Payslip = AccountDocuments['payslips']['items'][number];
export type Statement = AccountDocuments['statements'][number];
export type RailStep = Withdrawal['history'][number];
/** Settings of the calendar that a person's phone reads. */
export type CalendarFeed = NonNullable<RouteReply<'getCalendarFeed'>['calendar']>;
export type Notification = RouteReply<'listNotifications'>['items'][number];
