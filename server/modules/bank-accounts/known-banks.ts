/**
 * Names of large banks by routing number, so that the form can suggest one. A bank has many such
 * numbers; these are published by the banks themselves. Whatever is missing here is learnt from the
 * accounts that admins have verified.
 */
export const KNOWN_BANKS: ReadonlyMap<string, string> = new Map([
  ['021000021', 'JPMorgan Chase Bank'],
  ['071000013', 'JPMorgan Chase Bank'],
  ['322271627', 'JPMorgan Chase Bank'],
  ['111000614', 'JPMorgan Chase Bank'],
  ['026009593', 'Bank of America'],
  ['121000358', 'Bank of America'],
  ['111000025', 'Bank of America'],
  ['121000248', 'Wells Fargo Bank'],
  ['121042882', 'Wells Fargo Bank'],
  ['021000089', 'Citibank'],
  ['321171184', 'Citibank'],
  ['091000022', 'U.S. Bank'],
  ['043000096', 'PNC Bank'],
  ['031176110', 'Capital One'],
  ['051405515', 'Capital One'],
  ['031201360', 'TD Bank'],
  ['061000104', 'Truist Bank'],
  ['053101121', 'Truist Bank'],
  ['042000314', 'Fifth Third Bank'],
  ['041001039', 'KeyBank'],
  ['062000019', 'Regions Bank'],
  ['044000024', 'Huntington National Bank'],
  ['011500120', 'Citizens Bank'],
  ['022000046', 'M&T Bank'],
  ['124003116', 'Ally Bank'],
  ['031100649', 'Discover Bank'],
  ['314074269', 'USAA Federal Savings Bank'],
  ['256074974', 'Navy Federal Credit Union'],
  ['121202211', 'Charles Schwab Bank'],
  ['021001088', 'HSBC Bank USA'],
]);
