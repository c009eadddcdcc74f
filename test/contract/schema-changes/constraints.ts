import { add, option, retype } from './support/edits.js';
import { invalid, missing, unfinished } from './support/effects.js';
import { change, inTypeAndComponent } from './support/schema-change.js';
import type { SchemaChange } from './support/schema-change.js';

/** The rows for a content-type or a component. */
const rowsOf = (owner: string): readonly SchemaChange[] => [
  change(`${owner}: maxLength below stored values`, option(owner, 'mixedText', { maxLength: 4 }), [
    invalid(owner, 'mixedText', (text: string) => text.length <= 4),
  ]),
  change(`${owner}: minLength above stored values`, option(owner, 'mixedText', { minLength: 4 }), [
    unfinished(owner, 'mixedText', (text: string) => text.length >= 4),
  ]),
  change(
    `${owner}: a pattern that some values do not match`,
    option(owner, 'mixedText', { regex: '^\\d+$' }),
    [unfinished(owner, 'mixedText', (text: string) => /^\d+$/.test(text))],
  ),
  change(`${owner}: min above stored integers`, option(owner, 'rank', { min: 0 }), [
    unfinished(owner, 'rank', (value: number) => value >= 0),
  ]),
  change(`${owner}: max below stored integers`, option(owner, 'rank', { max: 3 }), [
    invalid(owner, 'rank', (value: number) => value <= 3),
  ]),
  change(`${owner}: max below stored decimals`, option(owner, 'price', { max: 50.5 }), [
    invalid(owner, 'price', (value: number) => value <= 50.5),
  ]),
  change(
    `${owner}: type and limit changed at once`,
    retype(owner, 'summary', { type: 'string', maxLength: 40 }),
    [invalid(owner, 'summary', (text: string) => text.length <= 40)],
  ),
  change(`${owner}: an enumeration loses a value`, option(owner, 'colour', { enum: ['red', 'green'] }), [
    invalid(owner, 'colour', (value: string) => value !== 'blue'),
  ]),
  change(
    `${owner}: a value of an enumeration is renamed by hand`,
    option(owner, 'colour', { enum: ['red', 'green', 'azure'] }),
    [invalid(owner, 'colour', (value: string) => value !== 'blue')],
  ),
  change(
    `${owner}: an optional attribute with a default`,
    add(owner, 'fresh', { type: 'string', default: 'new' }),
  ),
];

export const CONSTRAINT_CHANGES = [
  ...inTypeAndComponent(rowsOf),
  change(
    'note: an attribute becomes required where documents hold none',
    option('note', 'level', { required: true }),
    [missing('note', 'level')],
  ),
  change('note: an enumeration becomes required', option('note', 'priority', { required: true }), [
    missing('note', 'priority'),
  ]),
  change('note: a component becomes required', option('note', 'badge', { required: true }), [
    missing('note', 'badge'),
  ]),
  change(
    'note: an attribute becomes required that all documents hold',
    option('note', 'text', { required: true }),
  ),
  change('note: a new attribute is required', add('note', 'fresh', { type: 'string', required: true }), [
    missing('note', 'fresh'),
  ]),
  change(
    'parts.badge: a new attribute of a component in use is required',
    add('parts.badge', 'fresh', { type: 'string', required: true }),
    [missing('parts.badge', 'fresh')],
  ),
  ...['author', 'cover', 'editor', 'event', 'twin', 'twinOf', 'about'].map((name) =>
    change(
      `article: ${name}, which one document lacks, becomes required`,
      option('article', name, { required: true }),
      [missing('article', name)],
    ),
  ),
  change(
    'author: a link to a type with drafts becomes required',
    option('author', 'favourite', { required: true }),
    [missing('author', 'favourite')],
  ),
  change(
    'note: a new relation is required',
    add('note', 'about', { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag', required: true }),
    [missing('note', 'about')],
  ),
  change('article: a list of relations becomes required', option('article', 'tags', { required: true })),
  change('note: unique values become unique', option('note', 'text', { unique: true })),
];
