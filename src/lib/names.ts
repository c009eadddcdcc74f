import { sha256Hex } from './ids.js';

const KEBAB_CASE = /^[a-z][\da-z]*(?:-[\da-z]+)*$/;

/** Returns the name under which Strapi registers a file or folder: kebab case. */
export function registeredName(name: string): string {
  return KEBAB_CASE.test(name) ? name : kebabCase(name);
}

const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lo}\p{Lm}]+|\p{N}+/gu;

/**
 * Splits an identifier into words: at characters that are neither letters nor digits, before capitals, and
 * between letters and digits. `HTMLParser2go` → HTML, Parser, 2, go.
 */
export function words(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** `blog-post` → `blogPost` */
export function camelCase(text: string): string {
  return lowerFirst(pascalCase(text));
}

/** `blog-post` → `BlogPost` */
export function pascalCase(text: string): string {
  return words(text)
    .map((word) => upperFirst(word.toLowerCase()))
    .join('');
}

/** `publishedAt` → `published_at` */
export function snakeCase(text: string): string {
  return words(text)
    .map((word) => word.toLowerCase())
    .join('_');
}

/** `BlogPost` → `blog-post` */
export function kebabCase(text: string): string {
  return words(text)
    .map((word) => word.toLowerCase())
    .join('-');
}

const HASH_LENGTH = 8;

/** Returns the beginning of a text within a number of bytes of UTF-8. */
export function truncateToBytes(text: string, bytes: number): string {
  let truncated = text;
  while (Buffer.byteLength(truncated) > bytes) truncated = [...truncated].slice(0, -1).join('');
  return truncated;
}

/** Returns the beginning of `text` and a hash of `identity`, within `maxBytes`. */
export function hashedName(text: string, maxBytes: number, identity = text): string {
  const hash = sha256Hex(identity).slice(0, HASH_LENGTH);
  const prefix = truncateToBytes(text, maxBytes - HASH_LENGTH - 1).replace(/_+$/, '');
  return `${prefix}_${hash}`;
}

/**
 * Returns the text if it fits into `maxBytes` of UTF-8, otherwise its beginning and a hash of the whole, so
 * that different names stay different.
 *
 * @example
 *   shortName('a_very_long_table_name_article_author_position_idx', 20); // 'a_very_long_1f4c9a02'
 */
export function shortName(text: string, maxBytes: number): string {
  return Buffer.byteLength(text) <= maxBytes ? text : hashedName(text, maxBytes);
}

/** Allocates names that are unique within the pool: the preferred one, or another derived from it. */
export interface NamePool {
  readonly allocate: (preferred: string) => string;
  /** Excludes names from the pool. */
  readonly reserve: (names: Iterable<string>) => void;
}

interface NamePoolRules {
  /** Maps equal names to one name, such as lower and upper case in some databases. */
  readonly fold?: (name: string) => string;
  /** Returns the next candidate if `name` is taken. Default: `name2`, `name3` … */
  readonly nextCandidate?: (name: string, preferred: string) => string;
}

const nextNumbered = (name: string, preferred: string): string =>
  `${preferred}${name === preferred ? 2 : Number(name.slice(preferred.length)) + 1}`;

export function createNamePool({
  fold = (name) => name,
  nextCandidate = nextNumbered,
}: NamePoolRules = {}): NamePool {
  const used = new Set<string>();
  const allocate = (preferred: string): string => {
    let name = preferred;
    while (used.has(fold(name))) name = nextCandidate(name, preferred);
    used.add(fold(name));
    return name;
  };
  return {
    allocate,
    reserve: (names) => {
      for (const name of names) used.add(fold(name));
    },
  };
}

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Returns `French (fr)` for `fr`, or undefined for an unknown language. */
export function localeName(code: string): string | undefined {
  try {
    const language = LANGUAGES.of(code);
    return language === undefined ? undefined : `${language} (${code})`;
  } catch {
    return undefined;
  }
}
