import type { JsonValue } from '../../../../src/lib/stored-value.js';
import type { ProjectLiteral } from '../../../support/models.js';

const ATTRIBUTES = {
  key: { type: 'string' },
  text: { type: 'string' },
  number: { type: 'float' },
  integer: { type: 'integer' },
  big: { type: 'biginteger' },
  flag: { type: 'boolean' },
  moment: { type: 'datetime' },
  json: { type: 'json' },
};

/** The same attributes on a type and on a component, so that columns and JSON can be compared. */
export const COMPARISON_PROJECT: ProjectLiteral = {
  types: {
    value: { collectionName: 'values_table', attributes: ATTRIBUTES },
    owner: { attributes: { parts: { type: 'component', component: 'parts.part', repeatable: true } } },
  },
  components: { 'parts.part': { attributes: ATTRIBUTES } },
};

/** A record as the API returns it. Absent attributes are null. */
export interface ComparisonRecord {
  readonly key: string;
  readonly text?: string;
  readonly number?: number;
  readonly integer?: number;
  readonly big?: string;
  readonly flag?: boolean;
  readonly moment?: string;
  readonly json?: JsonValue;
}

export const COMPARISON_RECORDS: readonly ComparisonRecord[] = [
  {
    key: 'a',
    text: '7',
    number: 7,
    integer: 7,
    big: '7',
    flag: true,
    moment: '2026-01-01T10:00:00.000Z',
    json: { a: 1 },
  },
  {
    key: 'b',
    text: '007',
    number: -7.5,
    integer: 10,
    big: '9007199254740993',
    flag: false,
    moment: '2026-01-01T09:59:59.999Z',
    json: [1, 'two'],
  },
  { key: 'c', text: '10', number: 10, integer: 9, big: '9007199254740992', json: 5 },
  { key: 'd', text: '9', number: 0.1, integer: -1, big: '-1', json: '5' },
  { key: 'e', text: 'ΟΔΟΣ ΣΑΣ', json: 'five' },
  { key: 'f', text: 'οδος σας', json: true },
  { key: 'g', text: '😀' },
  { key: 'h', text: 'ﬀ' },
  { key: 'i', text: 'STRASSE ß' },
  { key: 'j', text: '100%_' },
  { key: 'n' },
];

export interface ComparisonCase {
  readonly what: string;
  readonly filters: unknown;
  /** Keys of the records that match, in order. */
  readonly found: string;
}

/** 2026-01-01T10:00:00.000Z, the moment of `a`. */
const MOMENT = 1_767_261_600_000;

/** Comparisons with numbers that JavaScript clients send, and that Strapi casts. */
const NUMBER_CASES: readonly ComparisonCase[] = [
  { what: '$gt takes milliseconds for a moment', filters: { moment: { $gt: MOMENT - 1 } }, found: 'a' },
  { what: '$lt takes their digits', filters: { moment: { $lt: String(MOMENT) } }, found: 'b' },
  { what: '$eq takes milliseconds', filters: { moment: { $eq: MOMENT } }, found: 'a' },
  { what: '$in takes milliseconds', filters: { moment: { $in: [MOMENT, '0'] } }, found: 'a' },
  { what: '$between takes both', filters: { moment: { $between: [MOMENT - 1, `${MOMENT}`] } }, found: 'ab' },
  { what: 'four digits are a year', filters: { moment: { $gte: '2026' } }, found: 'ab' },
  { what: 'a later year has no moments', filters: { moment: { $gte: '2027' } }, found: '' },
  { what: '$gt takes a fraction for an integer', filters: { integer: { $gt: '8.5' } }, found: 'bc' },
  { what: '$gte takes a fraction', filters: { integer: { $gte: 8.5 } }, found: 'bc' },
  { what: '$gte takes a whole decimal', filters: { integer: { $gte: '9.0' } }, found: 'bc' },
  { what: '$lt takes a fraction', filters: { integer: { $lt: 7.5 } }, found: 'ad' },
  { what: '$lte takes a negative fraction', filters: { integer: { $lte: '-0.5' } }, found: 'd' },
  { what: '$between takes fractions', filters: { integer: { $between: [6.5, 9.5] } }, found: 'ac' },
  { what: '$between takes one fraction', filters: { integer: { $between: ['7', '9.5'] } }, found: 'ac' },
  { what: 'no integer equals a fraction', filters: { integer: 7.5 }, found: '' },
  { what: 'every integer differs from it', filters: { integer: { $ne: '7.5' } }, found: 'abcd' },
  { what: '$in skips fractions', filters: { integer: { $in: ['7', '7.5'] } }, found: 'a' },
  { what: '$notIn does, too', filters: { integer: { $notIn: [7.5, 9] } }, found: 'abd' },
  { what: '$notIn finds no null', filters: { integer: { $notIn: ['7.5'] } }, found: 'abcd' },
  { what: '$in finds none', filters: { integer: { $in: ['7.5', 3e9] } }, found: '' },
  { what: '$not finds no null', filters: { integer: { $not: { $in: ['7.5'] } } }, found: 'abcd' },
  { what: '$not of none finds no null', filters: { integer: { $not: { $gt: 3e9 } } }, found: 'abcd' },
  { what: '$not of all finds none', filters: { integer: { $not: { $lt: 3e9 } } }, found: '' },
  { what: '$not negates a fraction', filters: { integer: { $not: { $gt: 8.5 } } }, found: 'ad' },
  { what: 'an exponent is a number', filters: { integer: '1e1' }, found: 'b' },
  { what: 'every integer is below a huge number', filters: { integer: { $lt: 3e9 } }, found: 'abcd' },
  { what: 'none is above', filters: { integer: { $gt: '3000000000' } }, found: '' },
  { what: 'none is below a huge negative number', filters: { integer: { $lte: -3e9 } }, found: '' },
  { what: 'every integer is above', filters: { integer: { $gte: -3e9 } }, found: 'abcd' },
];

export const FILTER_CASES: readonly ComparisonCase[] = [
  ...NUMBER_CASES,
  { what: '$eq takes digits in text as they are', filters: { text: { $eq: '7' } }, found: 'a' },
  { what: '$in takes digits in text as they are', filters: { text: { $in: ['7', '9'] } }, found: 'ad' },
  { what: '$notIn does, too', filters: { text: { $notIn: ['7', '9'] } }, found: 'bcefghij' },
  { what: '$gt orders digits in text by code point', filters: { text: { $gt: '9' } }, found: 'efghi' },
  { what: '$lt orders digits in text by code point', filters: { text: { $lt: '9' } }, found: 'abcj' },
  { what: '$lte includes its value', filters: { text: { $lte: '10' } }, found: 'bc' },
  { what: '$between orders by code point', filters: { text: { $between: ['10', '7'] } }, found: 'acj' },
  { what: '$gt knows code points beyond 16 bits', filters: { text: { $gt: 'ﬀ' } }, found: 'g' },
  { what: '$gte includes its value', filters: { text: { $gte: 'ﬀ' } }, found: 'gh' },
  { what: '$eqi folds every sigma alike', filters: { text: { $eqi: 'οδοσ σασ' } }, found: 'ef' },
  { what: '$eqi folds its operand', filters: { text: { $eqi: 'ΟΔΟΣ ΣΑΣ' } }, found: 'ef' },
  { what: '$nei folds every sigma alike', filters: { text: { $nei: 'ΟΔΟΣ ΣΑΣ' } }, found: 'abcdghij' },
  { what: '$containsi finds part of a word', filters: { text: { $containsi: 'ΔΟΣ' } }, found: 'ef' },
  { what: '$startsWithi finds the end of a word', filters: { text: { $startsWithi: 'ΟΔΟΣ' } }, found: 'ef' },
  { what: '$endsWithi finds a final sigma', filters: { text: { $endsWithi: 'ΑΣ' } }, found: 'ef' },
  { what: '$eqi does not expand letters', filters: { text: { $eqi: 'strasse ss' } }, found: '' },
  { what: '$contains is case-sensitive', filters: { text: { $contains: 'strasse' } }, found: '' },
  { what: '$contains has no wildcards', filters: { text: { $contains: '%' } }, found: 'j' },
  { what: '$startsWith', filters: { text: { $startsWith: '0' } }, found: 'b' },
  { what: '$endsWith has no wildcards', filters: { text: { $endsWith: '_' } }, found: 'j' },
  { what: '$ne is not true of null', filters: { text: { $ne: '7' } }, found: 'bcdefghij' },
  { what: '$notContains is not true of null', filters: { text: { $notContains: '0' } }, found: 'adefghi' },
  { what: '$not is not true of null', filters: { $not: { text: { $gt: '9' } } }, found: 'abcdj' },
  {
    what: '$not over $or is not true of null',
    filters: { $not: { $or: [{ integer: 7 }, { text: '9' }] } },
    found: 'bc',
  },
  { what: '$or with null', filters: { $or: [{ text: '7' }, { text: null }] }, found: 'an' },
  { what: '$null', filters: { text: { $null: true } }, found: 'n' },
  { what: '$notNull', filters: { number: { $notNull: true } }, found: 'abcd' },
  { what: '$eq parses text for a number', filters: { number: { $eq: '07' } }, found: 'a' },
  { what: '$lt orders numbers by size', filters: { number: { $lt: 7 } }, found: 'bd' },
  { what: '$contains in a number as it is printed', filters: { number: { $contains: '7' } }, found: 'ab' },
  { what: '$startsWith in a number', filters: { number: { $startsWith: '-' } }, found: 'b' },
  { what: '$gt orders whole numbers by size', filters: { integer: { $gt: '9' } }, found: 'b' },
  { what: '$between whole numbers', filters: { integer: { $between: [7, 9] } }, found: 'ac' },
  { what: '$in whole numbers', filters: { integer: { $in: [10, '-1'] } }, found: 'bd' },
  { what: '$eq beyond 2^53', filters: { big: { $eq: '9007199254740993' } }, found: 'b' },
  { what: '$gt beyond 2^53', filters: { big: { $gt: '9007199254740992' } }, found: 'b' },
  { what: '$lt orders big numbers by size', filters: { big: { $lt: '10' } }, found: 'ad' },
  { what: '$in beyond 2^53', filters: { big: { $in: ['9007199254740993', '7'] } }, found: 'ab' },
  { what: '$eq of a boolean', filters: { flag: { $eq: 'true' } }, found: 'a' },
  { what: '$ne of a boolean', filters: { flag: { $ne: true } }, found: 'b' },
  { what: '$eq of a time', filters: { moment: { $eq: '2026-01-01T11:00:00+01:00' } }, found: 'a' },
  { what: '$lt of a time', filters: { moment: { $lt: '2026-01-01T10:00:00Z' } }, found: 'b' },
  { what: '$contains in a time', filters: { moment: { $contains: '59.999Z' } }, found: 'b' },
  { what: '$eq of JSON', filters: { json: { $eq: '{"a":1}' } }, found: 'a' },
  { what: '$eq of a list in JSON', filters: { json: { $eq: '[1,"two"]' } }, found: 'b' },
  { what: '$eq of digits in JSON', filters: { json: { $eq: '5' } }, found: 'cd' },
  { what: '$eq of a number in JSON', filters: { json: { $eq: 5 } }, found: 'cd' },
  { what: '$ne of digits in JSON', filters: { json: { $ne: '5' } }, found: 'abef' },
  { what: '$in JSON', filters: { json: { $in: ['5', 'five', '{"a":1}'] } }, found: 'acde' },
  { what: '$notIn JSON', filters: { json: { $notIn: ['5', 'five'] } }, found: 'abf' },
  { what: '$eq of a boolean in JSON', filters: { json: { $eq: 'true' } }, found: 'f' },
  {
    what: '$startsWith in JSON takes strings without quotes',
    filters: { json: { $startsWith: 'fi' } },
    found: 'e',
  },
  { what: '$contains in JSON', filters: { json: { $contains: '"two"' } }, found: 'b' },
];

export interface SortCase {
  readonly sort: string;
  readonly found: string;
}

/** Null sorts lowest. Records that compare equal keep their order. */
export const SORT_CASES: readonly SortCase[] = [
  { sort: 'text', found: 'nbcjadiefhg' },
  { sort: 'text:desc', found: 'ghfeidajcbn' },
  { sort: 'number', found: 'efghijnbdac' },
  { sort: 'integer:desc', found: 'bcadefghijn' },
  { sort: 'big', found: 'efghijndacb' },
  { sort: 'moment:desc', found: 'abcdefghijn' },
  { sort: 'flag,key:desc', found: 'njihgfedcba' },
];
