/** Commands that a run plays, by the file that plays them. A long run prints those that it never sent. */
const PLAYED_BY = {
  requests: [
    ...(['requestDeposit', 'cancelDeposit', 'adminConfirmDeposit', 'adminApproveDeposit'] as const),
    ...(['adminRejectDeposit', 'requestWithdrawal', 'cancelWithdrawal'] as const),
    ...(['adminApproveWithdrawal', 'adminRejectWithdrawal', 'adminStartWithdrawal'] as const),
    ...(['adminCompleteWithdrawal', 'adminStopWithdrawal', 'adminReturnWithdrawal'] as const),
  ],
  resends: ['resendWithdrawal', 'resendBill'],
  payments: ['payPerson', 'moveMoney', 'openFurtherWallet', 'addPayee', 'confirmPayee'],
  bills: [
    ...(['scheduleBill', 'cancelBill', 'adminSendBill', 'adminCompleteBill'] as const),
    ...(['adminStopBill', 'adminReturnBill'] as const),
  ],
  billChanges: ['changeBill', 'removePayee', 'updatePayee'],
  standingBills: ['createStandingBill', 'stopStandingBill'],
  payroll: [
    ...(['adminFundEmployee', 'adminPreviewPayroll', 'adminSendPayroll'] as const),
    ...(['adminAcknowledgePayroll', 'adminCreatePayrollDraft', 'adminSavePayrollDraft'] as const),
    ...(['adminPreviewPayrollDraft', 'adminSendPayrollDraft', 'adminApprovePayroll'] as const),
    ...(['adminDeclinePayroll', 'adminStopPayroll'] as const),
  ],
  payrollAgain: ['adminRetryPayroll', 'adminRetryPayrollLine'],
  payrollLines: [
    ...(['adminReversePayrollLine', 'adminReversePayroll', 'adminProposeRecovery'] as const),
    ...(['acceptRecovery', 'declineRecovery', 'adminEndRecovery'] as const),
  ],
  transfers: [
    ...(['changeAutomaticTransfers', 'pauseAutomaticTransfers'] as const),
    ...(['resumeAutomaticTransfers', 'skipAutomaticTransfers', 'adminTakeBackTransfer'] as const),
  ],
  usualPay: [
    ...(['adminChangeUsualPay', 'adminConfirmUsualPay', 'adminDeclineUsualPay'] as const),
    'adminWithdrawUsualPay',
  ],
  bankAccounts: [
    ...(['addBankAccount', 'updateBankAccount', 'adminVerifyBankAccount'] as const),
    ...(['adminRejectBankAccount', 'enterMicroDeposits', 'removeBankAccount'] as const),
  ],
  payouts: [
    ...([
      'adminMakePayoutFile',
      'adminDownloadPayoutFile',
      'adminDownloadPayoutFileAgain',
    ] as const),
    ...(['adminSendPayoutFile', 'adminSettlePayoutFile', 'adminCancelPayoutFile'] as const),
  ],
  reversals: [
    ...(['adminReversePayout', 'adminDownloadPayoutReversal', 'adminSendPayoutReversal'] as const),
    'adminCancelPayoutReversal',
  ],
  returns: [
    ...(['adminCheckReturns', 'adminBookReturns', 'adminBookReturnTo'] as const),
    ...(['adminSetReturnAside', 'adminAcceptChange', 'adminDeclineChange'] as const),
  ],
  bank: [
    ...(['adminCheckStatement', 'adminImportStatement', 'adminMatchBankLine'] as const),
    'adminUnmatchBankLine',
  ],
  office: [
    ...(['adminCloseMonth', 'adminProposeReopening', 'adminAcceptReopening'] as const),
    ...(['adminDiscardReopening', 'adminUploadImport', 'adminConfirmImport'] as const),
  ],
  rights: [
    ...(['freezePayouts', 'adminFreezePayouts', 'adminReleasePayouts'] as const),
    ...(['adminOpenWallet', 'adminCloseWallet'] as const),
  ],
  leavers: ['adminDeactivatePerson', 'adminReactivatePerson', 'adminPayOutLeaver'],
  settings: [
    ...(['adminUpdateSettings', 'adminAcceptSettingsProposal'] as const),
    'adminDiscardSettingsProposal',
  ],
  sessions: [
    ...(['revokeSession', 'revokeOtherSessions', 'adminEndSession', 'adminEndSessions'] as const),
    ...(['changePassword', 'signIn', 'signOut'] as const),
  ],
  administrators: ['adminCreateInvite', 'adminRevokeInvite', 'redeemInvite', 'adminRevokeAdmin'],
  apiKeys: ['adminCreateApiKey', 'adminRevokeApiKey', 'adminAddEmployee'],
} as const satisfies Record<string, readonly string[]>;

/** Commands that no run plays, by the reason. */
export const NOT_PLAYED = {
  'Sessions of a run are made by the tests, because sign-in counts by the true time': [
    ...(['signUp', 'verifySecondFactor', 'confirmIdentity', 'checkConfirmation'] as const),
    ...(['setUpTwoFactor', 'turnOnTwoFactor', 'turnOffTwoFactor', 'renewRecoveryCodes'] as const),
    ...(['beginPasskeySignIn', 'signInWithPasskey', 'beginPasskeyConfirmation'] as const),
    ...(['confirmWithPasskey', 'beginPasskey', 'addPasskey', 'renamePasskey'] as const),
    ...(['removePasskey', 'adminResetTwoFactor'] as const),
    ...(['adminSkipTwoFactor'] as const),
  ],
  'Links in mails need a mail server, and what they do moves no money': [
    ...(['requestPasswordReset', 'openPasswordLink', 'resetPassword', 'confirmEmail'] as const),
    ...(['requestDocumentsLink', 'openDocuments', 'closeDocuments'] as const),
    ...(['requestEmailChange', 'withdrawEmailChange', 'confirmEmailChange'] as const),
    ...(['reportEmailChange', 'reportNotice', 'openInvite', 'acceptInvite'] as const),
    ...(['resumeMyMail', 'adminResumeMail', 'unsubscribe'] as const),
    ...(['adminCreateDocumentsLink', 'adminCreatePasswordLink'] as const),
    ...(['adminCreatePasswordLinks', 'adminCreateImportLinks', 'adminChangeEmail'] as const),
  ],
  'Identities of a run stay as they begin: approved or not': [
    ...(['saveMyApplication', 'submitMyApplication', 'startNewApplication'] as const),
    ...(['uploadDocument', 'createDocumentLink', 'adminClaimReview'] as const),
    ...(['adminReleaseReview', 'adminAddReviewNote', 'adminAskForIdentity'] as const),
    ...(['adminCorrectAddress', 'adminMoveToReview', 'adminApproveApplication'] as const),
    ...(['adminRejectApplication', 'adminRequestResubmission', 'adminApproveDocument'] as const),
    ...(['adminRejectDocument', 'adminCreateDocumentLink', 'adminCorrectName'] as const),
  ],
  'Nobody signs up in a run': ['adminAcceptApplicant'],
  'No money and no figure depends on it': [
    ...(['uploadMyAvatar', 'removeMyAvatar', 'markNotificationRead'] as const),
    ...(['markAllNotificationsRead', 'deleteNotification', 'restoreNotification'] as const),
    ...(['changeEmailPreferences', 'createCalendarFeed', 'changeCalendarFeed'] as const),
    ...(['revokeCalendarFeed', 'askQuestion', 'adminAnswerQuestion'] as const),
    ...(['adminSaveView', 'adminRenameView', 'adminDeleteView', 'adminRestoreView'] as const),
    ...(['adminDecideSetupStep', 'adminDismissSetup', 'adminChangePosition'] as const),
    ...(['adminMapChartAccount', 'uploadCheckImage'] as const),
  ],
  'It shows what is kept, and changes nothing but the trail': [
    ...(['revealWallet', 'revealBankAccount', 'adminRevealBankAccount'] as const),
    ...(['adminRevealBills', 'adminRevealPayee', 'adminRevealWithdrawals'] as const),
    ...(['findRecipient', 'adminListPayrollDifferences'] as const),
  ],
  'Systems of others and the work behind the product have their own tests of what fails': [
    ...(['adminCreateWebhook', 'adminRotateWebhookSecret', 'adminRemoveWebhook'] as const),
    'adminTestWebhook',
    ...(['adminRedeliverWebhook', 'adminRetryAllFailedDeliveries'] as const),
    ...(['adminRetryFailedDelivery', 'adminDiscardFailedDelivery', 'adminVerifyBooks'] as const),
  ],
  'Drafts of a run are filled by hand and sent, with one wallet for each person': [
    ...([
      'adminAddPayrollDraftWallet',
      'adminDiscardPayroll',
      'adminDiscardPayrollDraft',
      'adminCheckPayrollFile',
    ] as const),
    ...(['adminListPayrollFileErrors', 'adminFillInPayrollFile'] as const),
  ],
  'Files of people and of usual pay do what the commands for one person do': [
    ...(['adminMatchImport', 'adminDiscardImport'] as const),
    ...(['adminUploadUsualPay', 'adminConfirmUsualPayImport'] as const),
    'adminDiscardUsualPayImport',
  ],
  'A company of a run has one account at its bank, and matches its lines by hand': [
    ...(['adminAddCompanyAccount', 'adminAddBankRule', 'adminRemoveBankRule'] as const),
  ],
  'People who left keep the accounts that they had': ['adminEnterBankAccount'],
} as const satisfies Record<string, readonly string[]>;

export const PLAYED: readonly string[] = Object.values(PLAYED_BY).flat();
