import { add, edits, option, retype } from './support/edits.js';
import { converted, filled } from './support/effects.js';
import type { Effect } from './support/effects.js';
import { change, inTypeAndComponent } from './support/schema-change.js';
import type { SchemaChange } from './support/schema-change.js';

/** Blue becomes azure, which is told; other values stay. */
const azure = (owner: string): Effect => ({
  owner,
  attribute: 'colour',
  present: (value) => ({
    told: value === 'blue' ? 'converted' : null,
    value: value === 'blue' ? 'azure' : value,
    count: 1,
  }),
});

/** The rows for a content-type or a component. */
const rowsOf = (owner: string): readonly SchemaChange[] => [
  change(
    `${owner}: an expression rounds decimals to integers`,
    retype(owner, 'price', { type: 'integer' }),
    [converted(owner, 'price', (value: number) => Math.round(value))],
    { flags: { convert: [`${owner}.price=CAST(round(value) AS INTEGER)`] } },
  ),
  change(
    `${owner}: an expression takes the number out of text`,
    retype(owner, 'mixedText', { type: 'integer' }),
    [converted(owner, 'mixedText', (text: string) => Number(text.replace('number ', '')))],
    { flags: { convert: [`${owner}.mixedText=replace(value, 'number ', '')`] } },
  ),
  change(
    `${owner}: an expression that returns nothing for some values`,
    retype(owner, 'rank', { type: 'string' }),
    [converted(owner, 'rank', (value: number) => (value > 5 ? `rank ${value}` : undefined))],
    { flags: { convert: [`${owner}.rank=CASE WHEN value > 5 THEN 'rank ' || value END`] } },
  ),
  change(
    `${owner}: a value of an enumeration is mapped to another`,
    option(owner, 'colour', { enum: ['red', 'green', 'azure'] }),
    [azure(owner)],
    { flags: { map: [`${owner}.colour:blue=azure`] } },
  ),
  change(
    `${owner}: text is mapped to the values of an enumeration`,
    retype(owner, 'choiceText', { type: 'enumeration', enum: ['rouge', 'vert', 'bleu'] }),
    [converted(owner, 'choiceText', (text: string) => ({ red: 'rouge', green: 'vert', blue: 'bleu' })[text])],
    {
      flags: {
        map: ['red=rouge', 'green=vert', 'blue=bleu'].map((pair) => `${owner}.choiceText:${pair}`),
      },
    },
  ),
];

export const DECISION_CHANGES: readonly SchemaChange[] = [
  ...inTypeAndComponent(rowsOf),
  change(
    'a new required attribute is filled',
    add('note', 'source', { type: 'string', required: true }),
    [filled('note', 'source', 'unknown')],
    { flags: { set: ['note.source=unknown'] } },
  ),
  change(
    'a new required attribute of a type with drafts and locales is filled',
    add('page', 'source', { type: 'integer', required: true }),
    [filled('page', 'source', 7)],
    { flags: { set: ['page.source=7'] } },
  ),
  change(
    'an attribute that becomes required is filled where it is empty',
    option('note', 'level', { required: true }),
    [filled('note', 'level', 99)],
    { flags: { set: ['note.level=99'] } },
  ),
  change(
    'a new required attribute of a component is filled in all its items',
    add('parts.badge', 'source', { type: 'string', required: true }),
    [filled('parts.badge', 'source', 'unknown')],
    { flags: { set: ['parts.badge.source=unknown'] } },
  ),
  change(
    'an attribute of a component that becomes required is filled where it is empty',
    option('parts.fact', 'amount', { required: true }),
    [filled('parts.fact', 'amount', 0)],
    { flags: { set: ['parts.fact.amount=0'] } },
  ),
  change(
    'a default fills existing documents',
    add('note', 'source', { type: 'string', default: 'import' }),
    [filled('note', 'source', 'import')],
    { flags: { 'use-default': ['note.source'] } },
  ),
  change(
    'a default fills what is empty',
    option('note', 'priority', { default: 'low' }),
    [filled('note', 'priority', 'low')],
    { flags: { 'use-default': ['note.priority'] } },
  ),
  change(
    'a default fills all items of a component',
    add('parts.badge', 'source', { type: 'boolean', default: true }),
    [filled('parts.badge', 'source', true)],
    { flags: { 'use-default': ['parts.badge.source'] } },
  ),
  change(
    'a default that is not asked for fills nothing',
    add('note', 'source', { type: 'string', default: 'import' }),
  ),
  change(
    'an expression and a removed attribute at once',
    edits(retype('article', 'price', { type: 'integer' }), option('article', 'rank', { max: 100_000 })),
    [converted('article', 'price', (value: number) => Math.floor(value))],
    { flags: { convert: ['article.price=CAST(floor(value) AS INTEGER)'] } },
  ),
];
