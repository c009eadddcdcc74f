import { add, edits, option, remove, rename, retype } from './support/edits.js';
import { converted, dropped, unfinished } from './support/effects.js';
import type { Effect } from './support/effects.js';
import { change, removal } from './support/schema-change.js';

/** The first stays, the others are dropped. */
const firstOnly = (owner: string, attribute: string): Effect => ({
  owner,
  attribute,
  present: (value) =>
    Array.isArray(value)
      ? { told: 'dropped', value: value[0], count: value.length - 1 }
      : { told: null, value, count: 0 },
});

const listed = (owner: string, attribute: string): Effect =>
  converted(owner, attribute, (value: unknown) => [value]);

const component = (uid: string, repeatable: boolean) => ({ type: 'component', component: uid, repeatable });

export const COMPONENT_CHANGES = [
  removal('an attribute of a component that many types use', remove('parts.badge', 'label'), [
    dropped('parts.badge', 'label'),
  ]),
  removal('a media attribute of a component', remove('parts.every', 'image'), [
    dropped('parts.every', 'image'),
  ]),
  removal('a list of media of a component', remove('parts.every', 'images'), [
    dropped('parts.every', 'images'),
  ]),
  removal('a relation of a component', remove('parts.every', 'tag'), [dropped('parts.every', 'tag')]),
  removal('a to-many relation of a component', remove('parts.every', 'tags'), [
    dropped('parts.every', 'tags'),
  ]),
  removal('a nested component', remove('parts.every', 'badge'), [dropped('parts.every', 'badge')]),
  removal('a nested repeatable component', remove('parts.every', 'badges'), [
    dropped('parts.every', 'badges'),
  ]),
  removal('a component with others nested in it', remove('parts.fact', 'every'), [
    dropped('parts.fact', 'every'),
  ]),
  removal('a single component of a type', remove('article', 'hero'), [dropped('article', 'hero')]),
  removal('a repeatable component of a type', remove('article', 'facts'), [dropped('article', 'facts')]),
  removal(
    'attributes of two components at once',
    edits(remove('parts.badge', 'level'), remove('parts.fact', 'label')),
    [dropped('parts.badge', 'level'), dropped('parts.fact', 'label')],
  ),
  removal('an attribute of a component, renamed by hand', rename('parts.badge', { label: 'caption' }), [
    dropped('parts.badge', 'label'),
  ]),
  change('a new attribute with a component', add('article', 'fresh', component('parts.badge', true))),
  change(
    'a component attribute that points at a component with fewer attributes',
    option('parts.every', 'badge', {
      component: 'parts.medal',
    }),
    (['icon', 'shape'] as const).map((name): Effect => ({
      ...dropped('parts.badge', name),
      within: 'badge',
    })),
  ),
  change('a single component made repeatable', option('parts.every', 'badge', { repeatable: true }), [
    listed('parts.every', 'badge'),
  ]),
  change('a single component of a type made repeatable', option('article', 'hero', { repeatable: true }), [
    listed('article', 'hero'),
  ]),
  change('a repeatable component made single', option('parts.every', 'badges', { repeatable: false }), [
    firstOnly('parts.every', 'badges'),
  ]),
  change('a repeatable component of a type made single', option('article', 'facts', { repeatable: false }), [
    firstOnly('article', 'facts'),
  ]),
  change('max of a repeatable component below what is stored', option('parts.every', 'badges', { max: 1 }), [
    unfinished('parts.every', 'badges', (items: readonly unknown[]) => items.length <= 1),
  ]),
  change('min of a repeatable component above what is stored', option('article', 'facts', { min: 3 }), [
    unfinished('article', 'facts', (items: readonly unknown[]) => items.length >= 3),
  ]),
  change(
    'a to-one relation of a component made to-many',
    option('parts.every', 'tag', { relation: 'manyToMany' }),
    [listed('parts.every', 'tag')],
  ),
  change(
    'a to-many relation of a component made to-one',
    option('parts.every', 'tags', { relation: 'manyToOne' }),
    [firstOnly('parts.every', 'tags')],
  ),
  change(
    'a relation of a component pointed at another type',
    option('parts.every', 'tag', {
      target: 'api::author.author',
    }),
    [dropped('parts.every', 'tag')],
  ),
  change('single media of a component made multiple', option('parts.every', 'image', { multiple: true }), [
    listed('parts.every', 'image'),
  ]),
  change('multiple media of a component made single', option('parts.every', 'images', { multiple: false }), [
    firstOnly('parts.every', 'images'),
  ]),
  change('json to a component', retype('article', 'extra', component('parts.badge', false)), [
    dropped('article', 'extra'),
  ]),
  change('a string to a component', retype('article', 'title', component('parts.badge', false)), [
    dropped('article', 'title'),
  ]),
  change(
    'a string of a component to a component',
    retype('parts.fact', 'label', component('parts.badge', false)),
    [dropped('parts.fact', 'label')],
  ),
  change(
    'a string of a component to media',
    retype('parts.fact', 'label', { type: 'media', multiple: false }),
    [dropped('parts.fact', 'label')],
  ),
  change(
    'a string of a component to a relation',
    retype('parts.fact', 'label', {
      type: 'relation',
      relation: 'manyToOne',
      target: 'api::tag.tag',
    }),
    [dropped('parts.fact', 'label')],
  ),
];
