/**
 * An address cannot hold an empty list. In a filter, null stands for it, which matches nothing, or
 * with `$notIn` everything.
 */
const printEmptyList = (key: string): readonly string[] => {
  if (/\[\$(i|notI)n]$/.test(key)) return [key];
  return /(^|\[)filters]?\[/.test(key) && !/\[\$\w+]$/.test(key) ? [`${key}[$in]`] : [];
};

const printPairs = (key: string, value: unknown): readonly string[] => {
  if (value === undefined) return [];
  if (value === null) return [key];
  if (value instanceof Date) return printPairs(key, value.toISOString());
  if (typeof value !== 'object') return [`${key}=${encodeURIComponent(value as string)}`];
  if (Array.isArray(value) && value.length === 0) return printEmptyList(key);
  return Object.entries(value).flatMap(([name, item]) => {
    const part = encodeURIComponent(name).replace('%24', '$');
    return printPairs(key === '' ? part : `${key}[${part}]`, item);
  });
};

/**
 * Prints parameters in bracket notation.
 *
 * @example
 *   printQueryString({ populate: { author: true }, sort: ['title'] });
 *   // '?populate[author]=true&sort[0]=title'
 */
export function printQueryString(query: object): string {
  const pairs = printPairs('', query);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
