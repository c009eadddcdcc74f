import { fc } from '../../../support/properties.js';
import { byCodePoint, labelsOf, makerOf, titleOf } from './products.js';
import type { Product } from './products.js';

/** Filters whose rows are found by an index of their own, or in the order of the page. */
export const COUNTED: readonly (readonly [
  what: string,
  filters: unknown,
  matches: (product: Product) => boolean,
])[] = [
  ['a wide range', { price: { $gte: 100 } }, ({ price }) => price >= 100],
  ['a narrow range', { price: { $lt: 5 } }, ({ price }) => price < 5],
  ['both ends', { price: { $gt: 10, $lte: 480 } }, ({ price }) => price > 10 && price <= 480],
  ['a list', { height: { $in: [1, 2, 3, 4, 5] } }, ({ price }) => price % 11 > 0 && price % 11 < 6],
  ['a short list', { price: { $in: [31, 62] } }, ({ price }) => price === 31 || price === 62],
  ['beginnings', { code: { $startsWith: 'P-1' } }, ({ code }) => code.startsWith('P-1')],
  ['a link of many', { maker: { name: 'large' } }, ({ id }) => makerOf(id) === 'large'],
  ['a link of few', { maker: { name: 'small' } }, ({ id }) => makerOf(id) === 'small'],
  ['a to-many of many', { labels: { name: 'common' } }, ({ id }) => labelsOf(id).includes('common')],
  ['a to-many of few', { labels: { name: 'rare' } }, ({ id }) => labelsOf(id).includes('rare')],
  [
    'a link and a range',
    { maker: { name: 'large' }, price: { $lt: 450 } },
    ({ id, price }) => makerOf(id) === 'large' && price < 450,
  ],
];

/** A filter, and the products that it selects. */
interface RangeFilter {
  readonly filters: Readonly<Record<string, unknown>>;
  readonly matches: (product: Product) => boolean;
}

type Holds = (difference: number) => boolean;

const OPERATORS: Readonly<Record<string, Holds>> = {
  $lt: (difference) => difference < 0,
  $lte: (difference) => difference <= 0,
  $gt: (difference) => difference > 0,
  $gte: (difference) => difference >= 0,
};

const operator = fc.constantFrom(...Object.entries(OPERATORS));

const prices = fc.tuple(operator, fc.nat(500)).map(([[name, holds], bound]): RangeFilter => ({
  filters: { price: { [name]: bound } },
  matches: ({ price }) => holds(price - bound),
}));

const titles = fc.tuple(operator, fc.nat(100)).map(([[name, holds], index]): RangeFilter => ({
  filters: { title: { [name]: titleOf(index) ?? 'm' } },
  matches: ({ title }) => title !== null && holds(byCodePoint(title, titleOf(index) ?? 'm')),
}));

const beginnings = fc.constantFrom('a', 'zoo', 'Zoo 9', 'apple 1', 'x').map((prefix): RangeFilter => ({
  filters: { title: { $startsWith: prefix } },
  matches: ({ title }) => title?.startsWith(prefix) === true,
}));

const range = fc.oneof(prices, titles, beginnings);

/** One range, or several that a row must be in. */
export const ranges = fc.array(range, { minLength: 1, maxLength: 3 }).map((items): RangeFilter => ({
  filters: { $and: items.map(({ filters }) => filters) },
  matches: (product) => items.every(({ matches }) => matches(product)),
}));
