import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../src/lib/records.js';
import {
  addComponent,
  edits,
  option,
  remove,
  removeComponent,
  rename,
  renameComponent,
  retype,
} from './support/edits.js';
import { converted, dropped, droppedItems, movedItems, unfinished } from './support/effects.js';
import type { Matcher } from './support/differences.js';
import type { ExpectedChange } from './support/effects.js';
import type { Content } from './support/read-content.js';
import { change, removal } from './support/schema-change.js';
import type { SchemaChange } from './support/schema-change.js';

const COMPONENTS = ['parts.every', 'blocks.quote', 'blocks.gallery', 'blocks.group'];

const without = (...uids: readonly string[]) =>
  option('article', 'sections', { components: COMPONENTS.filter((uid) => !uids.includes(uid)) });

const zoneItems = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/** The stored JSON of components, which holds null for what the API leaves out. Passwords are taken out. */
const jsonOf =
  (value: unknown): Matcher =>
  (found) =>
    isDeepStrictEqual(present(found), present(value));

const present = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(present);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(
    ([name, one]) => name !== 'secret' && one !== null && !(Array.isArray(one) && one.length === 0),
  );
  return Object.fromEntries(entries.map(([name, one]) => [name, present(one)]));
};

const droppedSecrets = ({ article = {} }: Content, attribute: string, path: string): ExpectedChange => ({
  kind: 'dropped',
  type: 'api::article.article',
  path: `${path}.secret`,
  values: Object.values(article).filter((item) => item[attribute] !== undefined).length,
});

export const ZONE_CHANGES: readonly SchemaChange[] = [
  removal('a component is taken out of a zone', without('blocks.quote'), [
    droppedItems('article', 'sections', 'blocks.quote'),
  ]),
  removal('a component with nested components is taken out of a zone', without('blocks.group'), [
    droppedItems('article', 'sections', 'blocks.group'),
  ]),
  removal('two components are taken out of a zone', without('parts.every', 'blocks.gallery'), [
    droppedItems('article', 'sections', 'parts.every'),
    droppedItems('article', 'sections', 'blocks.gallery'),
  ]),
  removal('a zone', remove('article', 'sections'), [dropped('article', 'sections')]),
  removal(
    'a component and all that use it',
    edits(without('blocks.group'), removeComponent('blocks.group')),
    [droppedItems('article', 'sections', 'blocks.group')],
  ),
  removal('an attribute of a component of a zone', remove('blocks.quote', 'author'), [
    dropped('blocks.quote', 'author'),
  ]),
  removal('media of a component of a zone', remove('blocks.gallery', 'images'), [
    dropped('blocks.gallery', 'images'),
  ]),
  removal('a relation of a component of a zone', remove('blocks.quote', 'source'), [
    dropped('blocks.quote', 'source'),
  ]),
  removal('components nested in a component of a zone', remove('blocks.group', 'items'), [
    dropped('blocks.group', 'items'),
  ]),
  removal(
    'an attribute of a component of a zone, renamed by hand',
    rename('blocks.quote', { text: 'words' }),
    [dropped('blocks.quote', 'text')],
  ),
  change('a component of a zone renamed by hand', renameComponent('blocks.quote', 'blocks.saying'), [
    droppedItems('article', 'sections', 'blocks.quote'),
    droppedItems('page', 'sections', 'blocks.quote'),
  ]),
  change(
    'a component of a zone renamed',
    renameComponent('blocks.quote', 'blocks.saying'),
    ['article', 'page'].map((owner) => movedItems(owner, 'sections', 'blocks.quote', 'blocks.saying')),
    { flags: { rename: ['blocks.quote=blocks.saying'] } },
  ),
  change(
    'the components of a zone in another order',
    option('article', 'sections', {
      components: COMPONENTS.toReversed(),
    }),
  ),
  change(
    'a zone takes another component',
    edits(
      addComponent('blocks.fresh', { label: { type: 'string' } }),
      option('article', 'sections', { components: [...COMPONENTS, 'blocks.fresh'] }),
    ),
  ),
  change('max of a zone below what is stored', option('article', 'sections', { max: 4 }), [
    unfinished('article', 'sections', (items: readonly unknown[]) => items.length <= 4),
  ]),
  change('min of a zone above what is stored', option('article', 'sections', { min: 6 }), [
    unfinished('article', 'sections', (items: readonly unknown[]) => items.length >= 6),
  ]),
  change('max of a zone that all versions keep', option('article', 'sections', { max: 5 })),
  change(
    'a zone turned into a repeatable component',
    retype('article', 'sections', { type: 'component', component: 'blocks.quote', repeatable: true }),
    [
      ...COMPONENTS.filter((uid) => uid !== 'blocks.quote').map((uid) =>
        droppedItems('article', 'sections', uid),
      ),
      {
        owner: 'article',
        attribute: 'sections',
        member: 'blocks.quote',
        present: (item) => {
          const { __component: _uid, ...value } = isRecord(item) ? item : {};
          return { told: 'converted', value, count: 1 };
        },
      },
    ],
  ),
  change(
    'a repeatable component turned into a zone',
    retype('article', 'facts', { type: 'dynamiczone', components: ['parts.fact', 'parts.badge'] }),
    [
      converted('article', 'facts', (items: unknown) =>
        zoneItems(items).map((item) => ({ __component: 'parts.fact', ...item })),
      ),
    ],
  ),
  change(
    'a zone to json',
    retype('article', 'sections', { type: 'json' }),
    [converted('article', 'sections', jsonOf)],
    {
      changes: (content) => [
        droppedSecrets(content, 'sections', 'sections[parts.every]'),
        droppedSecrets(content, 'sections', 'sections[blocks.group].items.every'),
      ],
    },
  ),
  change(
    'a component to json',
    retype('article', 'hero', { type: 'json' }),
    [converted('article', 'hero', jsonOf)],
    { changes: (content) => [droppedSecrets(content, 'hero', 'hero')] },
  ),
];
