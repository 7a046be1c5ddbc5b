import type { KycAnswers } from '#contract/routes/kyc-answers.ts';

const WIDTH = 856;
const HEIGHT = 540;
const INK = '#1c2a26';
const FAINT = '#4a5c55';
const RED = '#8c2f22';

/**
 * One side of a made-up identity card as SVG, with what the application says about its holder, and
 * plainly marked as a specimen.
 */
export function drawIdentityCard(side: 'front' | 'back', answers: KycAnswers): string {
  const content = side === 'front' ? front(answers) : back(answers);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH + 120}" height="${HEIGHT + 120}">
    <rect width="100%" height="100%" fill="#8d8f88"/>
    <g transform="translate(60 60) rotate(-1.2 ${WIDTH / 2} ${HEIGHT / 2})">${content}</g>
  </svg>`;
}

function front(answers: KycAnswers): string {
  return `
    <rect width="${WIDTH}" height="${HEIGHT}" rx="28" fill="#e6ebe2"/>
    ${guilloche()}
    <path d="M0 28A28 28 0 0 1 28 0h${WIDTH - 56}a28 28 0 0 1 28 28v60H0Z" fill="#2d5a4f"/>
    ${text(36, 58, 'SPECIMEN', { size: 34, weight: 700, fill: '#f3f1e6' })}
    <g text-anchor="end">
      ${text(WIDTH - 36, 56, answers.idType.replaceAll('_', ' ').toUpperCase(), { size: 22, fill: '#f3f1e6' })}
    </g>
    ${portrait(36, 120)}
    ${fact(304, 150, 'NUMBER', answers.idNumber, RED)}
    ${fact(304, 210, 'NAME', answers.fullName.toUpperCase())}
    ${fact(304, 270, 'ADDRESS', [answers.addressLine1, answers.addressLine2].join(' ').toUpperCase())}
    ${text(424, 304, placeOf(answers).toUpperCase(), { size: 24 })}
    ${fact(304, 354, 'BORN', onCard(answers.dateOfBirth))}
    ${fact(304, 404, 'EXPIRES', onCard(answers.idExpiryDate), RED)}
    ${text(304, 482, answers.fullName, { size: 38, style: 'italic', family: 'serif' })}
    <path d="M300 494h360" stroke="${FAINT}" stroke-width="1.4"/>`;
}

function back({ idNumber }: KycAnswers): string {
  const bars = Array.from(`${idNumber}${idNumber}${idNumber}`, (character, index) => {
    const width = 4 + (character.charCodeAt(0) % 5) * 3;
    return `<rect x="${70 + index * 26}" y="300" width="${width}" height="120" fill="${INK}"/>`;
  });
  return `
    <rect width="${WIDTH}" height="${HEIGHT}" rx="28" fill="#e6ebe2"/>
    ${guilloche()}
    <rect y="56" width="${WIDTH}" height="92" fill="#22332e"/>
    ${text(70, 230, 'SPECIMEN. Made up, and of no value.', { size: 28 })}
    ${bars.join('')}
    ${text(70, 470, idNumber, { size: 26, fill: RED })}`;
}

interface Lettering {
  size: number;
  weight?: number;
  fill?: string;
  style?: string;
  family?: string;
}

function text(x: number, y: number, words: string, lettering: Lettering): string {
  const { size, weight = 400, fill = INK, style = 'normal', family = 'sans-serif' } = lettering;
  return `<text x="${x}" y="${y}" font-family="${family}" font-style="${style}" font-size="${size}"
    font-weight="${weight}" fill="${fill}">${escaped(words)}</text>`;
}

function fact(x: number, y: number, label: string, value: string, fill = INK): string {
  const words = text(x + 120, y, value, { size: 26, weight: 700, fill });
  return `${text(x, y, label, { size: 18, fill: FAINT })}${words}`;
}

function portrait(x: number, y: number): string {
  return `<g transform="translate(${x} ${y}) scale(2)">
    <rect width="118" height="150" fill="#c6cfc6"/>
    <ellipse cx="59" cy="64" rx="27" ry="34" fill="#8d7560"/>
    <path d="M30 62c0-28 12-42 29-42s29 14 29 42c-5-14-16-20-29-20s-24 6-29 20Z" fill="#33291f"/>
    <path d="M0 150c4-32 26-46 45-48 8 8 20 8 28 0 19 2 41 16 45 48Z" fill="#42566a"/>
  </g>`;
}

/** The fine waves that such paper is printed with. */
function guilloche(): string {
  const waves = Array.from({ length: 16 }, (_, index) => {
    const y = 120 + index * 26;
    return `M0 ${y}C160 ${y - 60} 300 ${y + 72} 460 ${y - 4}S740 ${y - 60} ${WIDTH} ${y + 8}`;
  });
  return `<path d="${waves.join('')}" fill="none" stroke="#b9c9bd" stroke-width="1.6"/>`;
}

function placeOf({ city, state, postalCode }: KycAnswers): string {
  return `${city}, ${state} ${postalCode}`;
}

/** `2030-03-14` as 03/14/2030. */
function onCard(day: string): string {
  const [year, month, date] = day.split('-');
  return `${month}/${date}/${year}`;
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
