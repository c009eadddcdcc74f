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
