import {
  addComponent,
  edits,
  editType,
  option,
  remove,
  removeComponent,
  removeType,
  renameType,
} from './support/edits.js';
import { dropped, droppedTargets } from './support/effects.js';
import type { Content, Item } from './support/read-content.js';
import { change } from './support/schema-change.js';
import type { SchemaChange } from './support/schema-change.js';

const withoutType =
  (name: string) =>
  ({ [name]: _removed, ...content }: Content): Content =>
    content;

type Versions = Readonly<Record<string, Item>>;

/** A version of the document that a single type keeps: the oldest published one. */
const firstOf = (versions: Versions = {}): Item => {
  const published = Object.entries(versions).filter(([key]) => key.endsWith(' published'));
  const [first] = published.toSorted(([, left], [, right]) => Number(left['id']) - Number(right['id']));
  return first?.[1] ?? {};
};

const firstOnly =
  (type: string) =>
  (content: Content): Content => {
    const versions = content[type] ?? {};
    const { documentId } = firstOf(versions);
    return {
      ...content,
      [type]: Object.fromEntries(
        Object.entries(versions).filter(([, item]) => item['documentId'] === documentId),
      ),
    };
  };

const withoutEmpty = (item: Item): Item =>
  Object.fromEntries(
    Object.entries(item).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );

export const TYPE_CHANGES: readonly SchemaChange[] = [
  change('a type that nothing points at is removed', removeType('note'), [], {
    changes: [{ kind: 'dropped', type: 'api::note.note', path: null, values: 40 }],
    content: withoutType('note'),
  }),
  change(
    'a type that others point at is removed with their relations',
    edits(remove('article', 'editor', 'author'), removeType('author')),
    [
      dropped('article', 'editor'),
      dropped('article', 'author'),
      droppedTargets('article', 'mentions', (target) => target.startsWith('api::author.author')),
    ],
    {
      changes: [{ kind: 'dropped', type: 'api::author.author', path: null, values: 3 }],
      content: withoutType('author'),
    },
  ),
  change('a type is renamed', renameType('note', 'memo'), [], {
    flags: { rename: ['notes=memos'] },
    content: ({ note = {}, ...content }) => ({ ...content, memo: note }),
  }),
  change(
    'a collection type becomes a single type',
    editType('note', (type) => ({ ...type, kind: 'singleType' })),
    [],
    {
      changes: [{ kind: 'dropped', type: 'api::note.note', path: null, values: 39 }],
      content: firstOnly('note'),
    },
  ),
  change(
    'a collection type with drafts and locales becomes a single type',
    editType('page', (type) => ({ ...type, kind: 'singleType' })),
    [],
    {
      changes: [{ kind: 'dropped', type: 'api::page.page', path: null, values: 5 }],
      content: firstOnly('page'),
    },
  ),
  change(
    'a collection type that others point at becomes a single type',
    editType('author', (type) => ({ ...type, kind: 'singleType' })),
    [],
    {
      changes: ({ article, author }) => {
        const { documentId } = firstOf(author);
        const others = (name: string): number =>
          Object.values(article ?? {}).filter(
            (item) => ![undefined, documentId].includes(item[name] as string),
          ).length;
        const mentions = Object.values(article ?? {}).flatMap(({ mentions: list }) =>
          ((list ?? []) as readonly string[]).filter(
            (target) => target.startsWith('api::author') && !target.endsWith(String(documentId)),
          ),
        );
        const droppedLinks = (path: string, values: number) =>
          ({ kind: 'dropped', type: 'api::article.article', path, values }) as const;
        return [
          { kind: 'dropped', type: 'api::author.author', path: null, values: 2 },
          droppedLinks('author', others('author')),
          droppedLinks('editor', others('editor')),
          droppedLinks('mentions', mentions.length),
        ];
      },
      content: (content) => {
        const { documentId } = firstOf(content['author']);
        const kept = (value: unknown): unknown =>
          Array.isArray(value)
            ? value.filter(
                (target) =>
                  !String(target).startsWith('api::author') ||
                  target === ['api::author.author', documentId].join(' '),
              )
            : value === documentId
              ? value
              : undefined;
        return {
          ...firstOnly('author')(content),
          article: Object.fromEntries(
            Object.entries(content['article'] ?? {}).map(([key, { author, editor, mentions, ...item }]) => [
              key,
              withoutEmpty({ ...item, author: kept(author), editor: kept(editor), mentions: kept(mentions) }),
            ]),
          ),
        };
      },
    },
  ),
  change(
    'a single type becomes a collection type',
    editType('home', (type) => ({ ...type, kind: 'collectionType' })),
  ),
  change('the display name changes', option('note', 'text', { configurable: true })),
  change('a component that nothing uses is removed', removeComponent('parts.medal')),
  change('a new component', addComponent('parts.fresh', { label: { type: 'string' } })),
  change(
    'a zone takes a new component',
    edits(
      addComponent('blocks.fresh', { label: { type: 'string' } }),
      option('page', 'sections', { components: ['blocks.fresh', 'blocks.quote'] }),
    ),
  ),
];
