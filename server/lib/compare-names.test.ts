import { expect, it } from 'vitest';
import { compareNames } from './compare-names.ts';

const EQUAL = [
  ['Maya Castellanos', 'Maya Castellanos'],
  ['MAYA CASTELLANOS', 'maya  castellanos'],
  ['CASTELLANOS, MAYA', 'Maya Castellanos'],
  ['Castellanos , Maya L.', 'Maya L Castellanos'],
  ['João Figueirêdo', 'Joao Figueiredo'],
  ['Siobhán O’Doyle', "Siobhan O'Doyle"],
  ['Siobhan ODoyle', "Siobhan O'Doyle"],
  ['Anne-Marie Smith-Jones', 'Anne Marie Smith Jones'],
  ['Dr. Maya Castellanos, PhD', 'Maya Castellanos'],
  ['Mrs Maya Castellanos', 'Ms. Maya Castellanos'],
  ['John Smith Jr.', 'John Smith, Junior'],
  ['Łukasz Sørensen', 'Lukasz Sorensen'],
  ['Jürgen Weiß', 'Jurgen Weiss'],
  ['Ｍａｙａ Castellanos', 'Maya Castellanos'],
  ['Sukarno', 'SUKARNO'],
  ['FNU Sukarno', 'Sukarno'],
  ['Sukarno LNU', 'Sukarno'],
  ['Dr', 'Dr'],
  ['张伟', '张 伟'],
  ['玛丽亚·卡斯特', '玛丽亚 卡斯特'],
  ['たなか けいこ', 'たなかけいこ'],
  ['محمد علي', 'مُحَمَّد عَلِيّ'],
  ['أحمد مصطفى', 'احمد مصطفي'],
  ['فاطمة الزهراء', 'فاطمه الزهـــراء'],
  ['Дмитрий Иванов', 'ИВАНОВ, ДМИТРИЙ'],
];
const SIMILAR = [
  ['M. Castellanos', 'Maya Castellanos'],
  ['Maya L. Castellanos', 'Maya Castellanos'],
  ['Maya Lucia Castellanos', 'Maya L. Castellanos'],
  ['Castellanos Maya', 'Maya Castellanos'],
  ['Maya Castelanos', 'Maya Castellanos'],
  ['Maya Casetllanos', 'Maya Castellanos'],
  ['Maya Castellanoz', 'Maya Castellanos'],
  ['Jürgen Müller', 'Jürgen Mueller'],
  ['Layla AlHassan', 'Layla Al-Hassan'],
  ['Maria Delacruz', 'Maria de la Cruz'],
  ['Wei Zhang', 'Zhang Wei'],
  ['伟张', '张伟'],
  ['علي محمد', 'محمد علي'],
  ['محمد أحمد علي', 'محمد علي'],
  ['John Smith Jr', 'John Smith'],
  ['Sukarno Sukarno', 'Sukarno'],
];
const DIFFERENT = [
  ['Anil Deshpande', 'Maya Castellanos'],
  ['Maya Deshpande', 'Maya Castellanos'],
  ['Rosa Castellanos', 'Maya Castellanos'],
  ['Castellanos', 'Maya Castellanos'],
  ['M. C.', 'Maya Castellanos'],
  ['FNU Sukarno', 'FNU Suharto'],
  ['Maya & Rosa Trading', 'Maya Castellanos'],
  ['John Smith Jr', 'John Smith III'],
  ['Li Wang', 'Le Wang'],
  ['张伟', '王伟'],
  ['张伟', '张伟明'],
  ['张伟', 'Zhang Wei'],
  ['محمد علي', 'Mohammed Ali'],
  ['محمد علي', 'محمود علي'],
  // Cyrillic letters that look like Latin ones.
  ['Мауа Castellanos', 'Maya Castellanos'],
  ['', 'Maya Castellanos'],
  ['---', 'Maya Castellanos'],
];
const CASES = [
  ...EQUAL.map((names) => [...names, 'equal']),
  ...SIMILAR.map((names) => [...names, 'similar']),
  ...DIFFERENT.map((names) => [...names, 'different']),
] as [string, string, string][];

it.each(CASES)('%s and %s are %s', (one, other, match) => {
  expect(compareNames(one, other)).toBe(match);
  expect(compareNames(other, one)).toBe(match);
});
