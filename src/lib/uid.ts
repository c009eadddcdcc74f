/** `api::article.article`, `plugin::upload.file`; components: `shared.seo`. */
export type Uid = string;

/**
 * Returns the part after the last dot: `article` of `api::article.article`, `find` of
 * `api::article.article.find`.
 */
export function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/**
 * Returns the part before the last dot: `api::article.article` of `api::article.article.find`. Empty for
 * names without a dot.
 */
export function withoutLastSegment(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}
