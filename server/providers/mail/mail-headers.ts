/**
 * Headers of every mail: automatic responders ignore it (RFC 3834), and a mail program can switch
 * mails of its kind off with one click (RFC 8058) if there is an address for it.
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
