import { createRequire } from 'node:module';
import { memoizeWeakly } from './collections.js';

const require = createRequire(import.meta.url);

/** The characters of `\s`, which has fewer in RE2, and all other characters. */
const SPACES =
  String.raw`\t-\r \xa0\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}` +
  String.raw`\x{3000}\x{feff}`;
const OTHERS =
  String.raw`\x00-\x08\x0e-\x1f!-\x9f\xa1-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}` +
  String.raw`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;

const ESCAPE = String.raw`\\(?:c[a-z]|x[\da-f]{2}|u[\da-f]{4}|p\{[^}]*\}|[^])`;
const CLASS = String.raw`\[\^?(?:\\[^]|[^\]\\])*\]`;
const TOKENS = new RegExp(String.raw`${ESCAPE}|${CLASS}|\(\?(?::|<(?![=!]))?|[^]`, 'gi');
const CLASS_TOKENS = new RegExp(`${ESCAPE}|[^]`, 'gi');

/** The RE2 forms of tokens that RE2 writes differently. */
const TRANSLATIONS = new Map([
  ['.', String.raw`[^\n\r\x{2028}\x{2029}]`],
  [String.raw`\s`, `[${SPACES}]`],
  [String.raw`\S`, `[^${SPACES}]`],
]);
const CLASS_TRANSLATIONS = new Map([
  ['[', String.raw`\[`],
  [String.raw`\s`, SPACES],
  [String.raw`\S`, OTHERS],
  [String.raw`\b`, String.raw`\x08`],
]);

/** Syntax with another or no meaning in RE2: unusual escapes, look-around, back references. */
const UNTRANSLATABLE = /^(?:\\[\dacegh-moqpuxyzACE-RT-VX-Z]|\(\?)$/;

const translateToken = (token: string, translations: ReadonlyMap<string, string>): string => {
  if (UNTRANSLATABLE.test(token)) throw new SyntaxError(`RE2 has no ${token}`);
  return translations.get(token) ?? token;
};

const translateClass = (text: string): string => {
  const start = text.startsWith('[^') ? 2 : 1;
  const content = text
    .slice(start, -1)
    .replaceAll(CLASS_TOKENS, (token) => translateToken(token, CLASS_TRANSLATIONS));
  return `${text.slice(0, start)}${content}]`;
};

/** Returns a pattern in the syntax of RE2. */
const translate = (source: string): string =>
  source.replaceAll(TOKENS, (token) =>
    token.startsWith('[') ? translateClass(token) : translateToken(token, TRANSLATIONS),
  );

/** Surrogates in a pattern, surrogates in a text, and the replacement of the latter. */
const SURROGATES = /[\ud7ff-\udfff]|\\ud[7-f]/i;
const SURROGATE = /[\ud800-\udfff]/g;
const UNASSIGNED = '\ud7ff';

const compile = memoizeWeakly((pattern: RegExp): ((text: string) => boolean) => {
  const { source, unicode } = pattern;
  try {
    if (!unicode && SURROGATES.test(source)) throw new SyntaxError('RE2 has no surrogates');
    // Loaded late, because loading takes longer than most commands run.
    const { RE2JS } = require('re2js') as typeof import('re2js');
    const compiled = RE2JS.compile(RE2JS.translateRegExp(translate(source)));
    return (text) => compiled.test(unicode ? text : text.replaceAll(SURROGATE, UNASSIGNED));
  } catch {
    return (text) => pattern.test(text);
  }
});

/**
 * True if the text matches the pattern, in time that grows with the text alone where the pattern has no
 * look-around, back reference or count above 1000. For a pattern without the flag `u`, a character
 * beyond the basic plane counts as two arbitrary characters.
 */
export function matchesPattern(pattern: RegExp, text: string): boolean {
  return compile(pattern)(text);
}
