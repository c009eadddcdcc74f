/** A path of a route, compiled. */
export interface PathPattern {
  readonly names: readonly string[];
  readonly expression: RegExp;
  /** A path that the pattern surely stands for, to see which other patterns take it away. */
  readonly sample: string;
}

/** A pattern in brackets, which may hold one level of brackets itself. */
const IN_BRACKETS = String.raw`(?:\\.|[^()\\]|\((?:\\.|[^()\\])*\))+`;

/** One piece: an escaped character, `:name(pattern)?`, `(pattern)?`, `{`, `}` with a modifier, or text. */
const PIECE = new RegExp(
  [
    String.raw`\\(?<escaped>.)`,
    String.raw`(?<slash>\/)?(?::(?<name>\w+)(?:\((?<pattern>${IN_BRACKETS})\))?|` +
      String.raw`\((?<unnamed>${IN_BRACKETS})\))(?<modifier>[?*+])?`,
    String.raw`(?<open>\{)`,
    String.raw`\}(?<close>[?*+]?)`,
    '(?<text>[^])',
  ].join('|'),
  'gu',
);

const escapeText = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Groups in a parameter's own pattern do not count, so that captures stay in step with names. */
const withoutCaptures = (pattern: string): string => pattern.replaceAll(/(?<!\\)\((?!\?)/g, '(?:');

const parameter = (slash: string, pattern: string, modifier: string): string => {
  const one = `(${pattern})`;
  if (modifier === '?') return `(?:${slash}${one})?`;
  if (modifier === '') return `${slash}${one}`;
  const many = `(${pattern}(?:${slash}${pattern})*)`;
  return modifier === '*' ? `(?:${slash}${many})?` : `${slash}${many}`;
};

/**
 * Compiles a path as Koa's router reads it: `/posts/:slug`, `/posts/:id(\\d+)`, `/files/:path*`, `/any/(.*)`.
 * Letters compare in any case, and a slash at the end makes no difference.
 */
export function compilePath(path: string): PathPattern {
  const names: string[] = [];
  let source = '';
  let sample = '';
  let unnamed = 0;
  for (const { groups = {} } of path.matchAll(PIECE)) {
    const { escaped, slash = '', name, pattern = '[^\\/#\\?]+?', unnamed: group, modifier = '' } = groups;
    if (name !== undefined || group !== undefined) {
      names.push(name ?? String(unnamed++));
      source += parameter(slash === '' ? '' : '\\/', withoutCaptures(group ?? pattern), modifier);
      if (modifier === '' || modifier === '+') sample += `${slash}a`;
    } else if (groups['open'] !== undefined) source += '(?:';
    else if (groups['close'] !== undefined) source += `)${groups['close']}`;
    else {
      const text = escaped ?? groups['text'] ?? '';
      source += escapeText(text);
      sample += text;
    }
  }
  const open = source.endsWith('\\/') ? source.slice(0, -2) : source;
  return { names, expression: new RegExp(`^${open}\\/?$`, 'iu'), sample: sample === '' ? '/' : sample };
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
