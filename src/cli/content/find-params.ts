import * as Flags from '@oclif/core/flags';
import { parseQueryString } from '../../api/rest/parse-query-string.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord, withoutUndefined } from '../../lib/records.js';
import { didYouMean } from '../../lib/nearest.js';
import { completeTime } from '../../model/fields/date-value.js';
import { componentOf, typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentSchema, ContentType, ScalarAttribute } from '../../model/model.js';
import { OPERATORS } from '../../query/filter-nodes.js';
import { populateShown } from '../../query/parse/server-queries.js';
import type { FindParams } from '../../transfer/store/content-store.js';
import { commaSeparated, repeatable } from '../flags.js';
import { remoteFlag } from '../project/command-target.js';

const NAMES = [...OPERATORS.keys()].map((name) => name.slice(1));

/** The minimum length of a word for which the nearest operator is suggested. */
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
  // The nearest operator to a short word, such as `like`, is rarely the intended one.
  const suggestion = name.length < MIN_SUGGESTED ? '' : didYouMean(name, NAMES);
  throw createError('cli/invalid-usage', {
    reason: `Unknown operator "${name}" in the filter ${filter}.`,
    remedy: `${suggestion} Operators: ${NAMES.join(', ')}.`.trimStart(),
  });
};

/**
 * Parses a filter of the command line: attribute, operator and value. The default operator is equality.
 * Commas separate lists. `null` matches empty values.
 *
 * @example
 *   parseFilter('title:containsi=lamp'); // { title: { $containsi: 'lamp' } }
 *   parseFilter('author.name=Ada'); // { author: { name: { $eq: 'Ada' } } }
 *   parseFilter('publishedAt:null'); // { publishedAt: { $null: 'true' } }
 *
 * @throws `cli/invalid-usage`
 */
function parseFilter(filter: string): Readonly<Record<string, unknown>> {
  const match = /^(?<path>[^:=]+)(?::(?<operator>[^=]*))?(?:=(?<value>[\s\S]*))?$/.exec(filter);
  const { path, operator: name, value } = match?.groups ?? {};
  if (path === undefined || (name === undefined && value === undefined))
    throw createError('cli/invalid-usage', {
      reason: `The filter ${filter} is not valid.`,
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

/** The flags that select versions, and the server that has them. */
export const versionFlags = {
  status: Flags.option({
    options: ['draft', 'published'] as const,
    description: 'Version of each document. [default: draft]',
  })(),
  locale: Flags.string({ description: 'Locale, or * for all. [default: the default locale]' }),
  ...remoteFlag,
};

/** The flags that restrict commands about all versions. */
export const allVersionFlags = {
  status: Flags.option({
    options: ['draft', 'published'] as const,
    description: 'Version of each document. [default: both]',
  })(),
  locale: Flags.string({ description: 'Locale. [default: all]' }),
  ...remoteFlag,
};

/** The flags that choose documents. */
export const filterFlags = {
  filter: Flags.string({
    ...repeatable,
    description: 'Condition: title:containsi=lamp, price:lt=20, author.name=Ada. May be repeated.',
    helpValue: '<attribute:operator=value>',
  }),
  query: Flags.string({
    description: 'Parameters of the API: filters[title][$contains]=lamp&sort=title.',
    helpValue: '<parameters>',
  }),
  ...versionFlags,
};

/** The flags that select the values of each document. */
export const selectionFlags = {
  fields: Flags.string({ ...commaSeparated, description: 'Attributes to show: title,slug.' }),
  populate: Flags.string({
    ...commaSeparated,
    description: 'Relations, media and components to show, or * for all.',
  }),
};

interface FilterFlagValues {
  readonly filter?: readonly string[] | undefined;
  readonly query?: string | undefined;
  readonly status?: 'draft' | 'published' | undefined;
  readonly locale?: string | undefined;
}

interface SelectionFlagValues {
  readonly fields?: readonly string[] | undefined;
  readonly populate?: readonly string[] | undefined;
}

/**
 * Returns the API's `fields` and `populate` for the flags. Attributes are read with the relations and media
 * in their components. A path such as `author.avatar` is passed on unchanged.
 */
export function selectionParams(
  model: ContentModel,
  type: ContentType,
  { fields, populate }: SelectionFlagValues,
): FindParams {
  if (populate === undefined) return withoutUndefined({ fields });
  const isPath = (name: string): boolean => name.includes('.');
  const names = populate.includes('*') ? undefined : populate.filter((name) => !isPath(name));
  return withoutUndefined({
    fields,
    populate: [...populate.filter(isPath), populateShown(model, type, names)],
  });
}

/** The schema and attribute of a condition. Null if the schema is unknown. */
type ConditionTarget = ContentSchema | ScalarAttribute | null;

const targetOf = (model: ContentModel, place: ConditionTarget, key: string): ConditionTarget => {
  if (key.startsWith('$') || place === null || 'family' in place) return place;
  const attribute = Object.hasOwn(place.attributes, key) ? place.attributes[key] : undefined;
  if (attribute === undefined || attribute.family === 'dynamiczone') return null;
  if (attribute.family === 'scalar') return attribute;
  if (attribute.family === 'component') return componentOf(model, attribute.component);
  return attribute.target === null ? null : typeOf(model, attribute.target);
};

/** Completes the times in a condition, for which the content API requires seconds. */
const completeTimes = (model: ContentModel, place: ConditionTarget, condition: unknown): unknown => {
  if (Array.isArray(condition)) return condition.map((item) => completeTimes(model, place, item));
  if (isRecord(condition))
    return Object.fromEntries(
      Object.entries(condition).map(([key, value]) => [
        key,
        completeTimes(model, targetOf(model, place, key), value),
      ]),
    );
  const isTime = place !== null && 'family' in place && place.type === 'time';
  return isTime && typeof condition === 'string' ? completeTime(condition) : condition;
};

/**
 * Returns the parameters of a read for the flags. Flags take precedence over `--query`. Filters of both
 * apply.
 *
 * @throws `cli/invalid-usage`, `request/invalid-query-string`
 */
export function findParams(
  { filter = [], query, status, locale }: FilterFlagValues,
  { model, type }: { readonly model: ContentModel; readonly type: ContentType },
): FindParams {
  const { filters, pagination: _pagination, ...params } = parseQueryString(query ?? '');
  const parsed = filter.map((text) => completeTimes(model, type, parseFilter(text)));
  const conditions = [...(filters === undefined ? [] : [filters]), ...parsed];
  const [first, ...others] = conditions;
  return {
    ...params,
    ...withoutUndefined({ status, locale }),
    ...(first === undefined ? {} : { filters: others.length === 0 ? first : { $and: conditions } }),
  };
}
