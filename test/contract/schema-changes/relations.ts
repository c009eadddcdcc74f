import { add, edits, option, remove, retype } from './support/edits.js';
import { converted, dropped, gone } from './support/effects.js';
import type { Effect } from './support/effects.js';
import { change, removal } from './support/schema-change.js';
import type { SchemaChange } from './support/schema-change.js';

const relation = (kind: string, target: string, options: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...options,
});

/** A to-one relation or single file becomes a list. */
const listed = (owner: string, attribute: string): Effect =>
  converted(owner, attribute, (value: unknown) => [value]);

/** Only the first link stays. */
const firstOnly = (owner: string, attribute: string): Effect => ({
  owner,
  attribute,
  present: (value) =>
    Array.isArray(value)
      ? { told: 'dropped', value: value[0], count: value.length - 1 }
      : { told: null, value, count: 0 },
});

export const RELATION_CHANGES: readonly SchemaChange[] = [
  removal('a one-way to-one relation', remove('article', 'author'), [dropped('article', 'author')]),
  removal('a one-way to-many relation', remove('article', 'sources'), [dropped('article', 'sources')]),
  removal('a one-to-many relation', remove('article', 'owned'), [dropped('article', 'owned')]),
  removal(
    'both sides of a relation to a type without locales',
    edits(remove('article', 'event'), remove('event', 'articles')),
    [dropped('article', 'event'), gone('event', 'articles')],
  ),
  removal(
    'both sides of a many-to-many relation',
    edits(remove('article', 'tags'), remove('tag', 'articles')),
    [dropped('article', 'tags'), gone('tag', 'articles')],
  ),
  removal(
    'both sides of a many-to-one relation',
    edits(remove('article', 'editor'), remove('author', 'edited')),
    [dropped('article', 'editor'), gone('author', 'edited')],
  ),
  removal('both sides of a one-to-one relation', remove('article', 'twin', 'twinOf'), [
    dropped('article', 'twin'),
    gone('article', 'twinOf'),
  ]),
  removal('a polymorphic to-one relation', remove('article', 'about'), [dropped('article', 'about')]),
  removal(
    'a polymorphic relation with its inverse sides',
    edits(remove('article', 'mentions'), remove('tag', 'mentionedBy'), remove('author', 'mentionedBy')),
    [dropped('article', 'mentions'), gone('tag', 'mentionedBy'), gone('author', 'mentionedBy')],
  ),
  removal('a relation from a type without drafts to one with drafts', remove('author', 'favourite'), [
    dropped('author', 'favourite'),
  ]),
  change(
    'a many-to-one relation becomes one-way',
    edits(remove('author', 'edited'), option('article', 'editor', { inversedBy: undefined })),
    [gone('author', 'edited')],
  ),
  change(
    'a many-to-many relation becomes one-way',
    edits(remove('tag', 'articles'), option('article', 'tags', { inversedBy: undefined })),
    [gone('tag', 'articles')],
  ),
  change(
    'a one-to-one relation becomes one-way',
    edits(remove('article', 'twinOf'), option('article', 'twin', { inversedBy: undefined })),
    [gone('article', 'twinOf')],
  ),
  change(
    'a one-way to-one relation becomes to-many',
    option('article', 'author', { relation: 'manyToMany' }),
    [listed('article', 'author')],
  ),
  change(
    'a many-to-one relation becomes many-to-many on both sides',
    edits(
      option('article', 'editor', { relation: 'manyToMany' }),
      option('author', 'edited', { relation: 'manyToMany' }),
    ),
    [listed('article', 'editor')],
  ),
  change(
    'a to-one relation to a type with drafts becomes to-many',
    edits(
      option('article', 'event', { relation: 'manyToMany' }),
      option('event', 'articles', { relation: 'manyToMany' }),
    ),
    [listed('article', 'event')],
  ),
  change('a to-many relation becomes to-one', option('article', 'sources', { relation: 'manyToOne' }), [
    firstOnly('article', 'sources'),
  ]),
  change(
    'a one-to-many relation becomes many-to-many',
    option('article', 'owned', { relation: 'manyToMany' }),
  ),
  change('a many-to-one relation becomes one-to-one', option('article', 'author', { relation: 'oneToOne' })),
  change(
    'a to-one relation points at another type',
    option('article', 'author', { target: 'api::tag.tag' }),
    [dropped('article', 'author')],
  ),
  change(
    'a to-many relation points at another type',
    option('article', 'sources', {
      target: 'api::author.author',
    }),
    [dropped('article', 'sources')],
  ),
  change('a relation to a string', retype('article', 'author', { type: 'string' }), [
    dropped('article', 'author'),
  ]),
  change('a string to a relation', retype('article', 'title', relation('manyToOne', 'tag')), [
    dropped('article', 'title'),
  ]),
  change('a new relation', add('article', 'fresh', relation('manyToMany', 'tag'))),

  removal('single media', remove('article', 'cover'), [dropped('article', 'cover')]),
  removal('multiple media', remove('article', 'gallery'), [dropped('article', 'gallery')]),
  removal('media of a type without drafts', remove('note', 'files'), [dropped('note', 'files')]),
  change('single media become multiple', option('article', 'cover', { multiple: true }), [
    listed('article', 'cover'),
  ]),
  change(
    'single media of a type without drafts become multiple',
    option('author', 'photo', { multiple: true }),
    [listed('author', 'photo')],
  ),
  change('multiple media become single', option('article', 'gallery', { multiple: false }), [
    firstOnly('article', 'gallery'),
  ]),
  change(
    'media to a relation to files',
    retype('article', 'cover', {
      type: 'relation',
      relation: 'manyToOne',
      target: 'plugin::upload.file',
    }),
  ),
  change('a string to media', retype('article', 'title', { type: 'media', multiple: false }), [
    dropped('article', 'title'),
  ]),
  change('media to a string', retype('article', 'cover', { type: 'string' }), [dropped('article', 'cover')]),
  change('new media', add('article', 'fresh', { type: 'media', multiple: true })),
];
