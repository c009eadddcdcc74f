import { parse, pathToRegexp } from 'path-to-regexp';
import type { Key } from 'path-to-regexp';

/** A path of a route, compiled. */
export interface PathPattern {
  readonly names: readonly string[];
  readonly expression: RegExp;
  /** A path that the pattern surely stands for, to see which other patterns take it away. */
  readonly sample: string;
}

/**
 * Compiles a path as Koa's router reads it: `/posts/:slug`, `/posts/:id(\\d+)`, `/files/:path*`, `/any/(.*)`.
 * Letters compare in any case, and a slash at the end makes no difference.
 */
export function compilePath(path: string): PathPattern {
  const keys: Key[] = [];
  const expression = pathToRegexp(path, keys);
  const sample = parse(path).map((token) => {
    if (typeof token === 'string') return token;
    return token.modifier === '' || token.modifier === '+' ? `${token.prefix}a${token.suffix}` : '';
  });
  return { names: keys.map(({ name }) => String(name)), expression, sample: sample.join('') || '/' };
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Returns the parameters of a path, or null if the pattern does not stand for it. */
export function matchPath(
  { names, expression }: PathPattern,
  path: string,
): Readonly<Record<string, string>> | null {
  const match = expression.exec(path);
  if (match === null) return null;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = match[index + 1];
    if (value !== undefined) params[name] = decode(value);
  }
  return params;
}
