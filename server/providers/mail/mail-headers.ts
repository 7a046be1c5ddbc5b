/**
 * Headers of every mail: answering machines leave it alone (RFC 3834), and a mail program switches mails of its
 * kind off with one click (RFC 8058) where there is an address for it.
 */
export function mailHeaders(unsubscribeUrl: string | undefined): Record<string, string> {
  return {
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribeUrl !== undefined && {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  };
}
