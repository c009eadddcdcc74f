import { createError } from '../../errors/catalogue.js';
import { didYouMean } from '../../lib/nearest.js';
import { OPERATORS } from '../../query/filter-operators.js';

const NAMES = [...OPERATORS.keys()].map((name) => name.slice(1));

/** The fewest characters of a word for which the nearest operator is suggested. */
const MIN_SUGGESTED = 5;

const operandOf = (operator: string, text: string): unknown => {
  switch (OPERATORS.get(operator)?.operand) {
    case 'list':
    case 'pair':
      return text.split(',').map((item) => item.trim());
    case 'boolean':
      return text === '' ? 'true' : text;
    case 'value':
      return text === 'null' ? null : text;
    default:
      return text;
  }
};

const operatorOf = (name: string, filter: string): string => {
  const operator = `$${name}`;
  if (OPERATORS.has(operator)) return operator;
  // The nearest to a short word, such as like, is hardly what was meant.
  const suggestion = name.length < MIN_SUGGESTED ? '' : didYouMean(name, NAMES);
  throw createError('cli/invalid-usage', {
    reason: `Unknown operator "${name}" in the filter ${filter}.`,
    remedy: `${suggestion} Operators: ${NAMES.join(', ')}.`.trimStart(),
  });
};

/**
 * Parses a filter of the command line: attribute, operator and value. Without an operator, the value must be
 * equal. Lists are separated by commas. `null` is no value.
 *
 * @example
 *   parseFilter('title:containsi=lamp'); // { title: { $containsi: 'lamp' } }
 *   parseFilter('author.name=Ada'); // { author: { name: { $eq: 'Ada' } } }
 *   parseFilter('publishedAt:null'); // { publishedAt: { $null: 'true' } }
 *
 * @throws `cli/invalid-usage`
 */
export function parseFilter(filter: string): Readonly<Record<string, unknown>> {
  const match = /^(?<path>[^:=]+)(?::(?<operator>[^=]*))?(?:=(?<value>[\s\S]*))?$/.exec(filter);
  const { path, operator: name, value } = match?.groups ?? {};
  if (path === undefined || (name === undefined && value === undefined))
    throw createError('cli/invalid-usage', {
      reason: `The filter ${filter} is not understood.`,
      remedy: 'Write it as attribute:operator=value, such as title:containsi=lamp.',
    });
  const operator = operatorOf(name ?? 'eq', filter);
  if (value === undefined && OPERATORS.get(operator)?.operand !== 'boolean')
    throw createError('cli/invalid-usage', {
      reason: `The filter ${filter} has no value.`,
      remedy: `Write it as ${filter}=value.`,
    });
  return path
    .trim()
    .split('.')
    .reduceRight<Readonly<Record<string, unknown>>>((inner, key) => ({ [key]: inner }), {
      [operator]: operandOf(operator, value ?? ''),
    });
}
