import type { ProjectLiteral, TypeLiteral } from '../../../support/models.js';
import { hasDrafts, isLocalized, KINDS, RELATIONS } from '../relation-kinds.js';
import type { Kind, Relation } from '../relation-kinds.js';
import { relationsOf } from '../relation-comparison.js';

export type Target = Kind | 'file';

/** An attribute of a component or content type. */
export type Member =
  | { readonly kind: 'text' }
  | { readonly kind: 'number' }
  | { readonly kind: 'link'; readonly target: Target; readonly many: boolean }
  | { readonly kind: 'morph'; readonly many: boolean }
  | { readonly kind: 'component'; readonly component: string; readonly many: boolean }
  | { readonly kind: 'zone' };

export type Members = Readonly<Record<string, Member>>;

/** Components with links to media and to types of every kind, some of them nested. */
export const COMPONENTS: Readonly<Record<string, Members>> = {
  'part.inner': { label: { kind: 'text' }, peers: { kind: 'link', target: 'both', many: true } },
  'part.seo': {
    title: { kind: 'text' },
    subject: { kind: 'link', target: 'both', many: false },
    sources: { kind: 'link', target: 'plain', many: true },
    image: { kind: 'link', target: 'file', many: false },
    inner: { kind: 'component', component: 'part.inner', many: false },
  },
  'part.row': { label: { kind: 'text' }, target: { kind: 'link', target: 'drafted', many: false } },
  'part.quote': { label: { kind: 'text' }, images: { kind: 'link', target: 'file', many: true } },
  'part.list': {
    items: { kind: 'link', target: 'translated', many: true },
    rows: { kind: 'component', component: 'part.row', many: true },
  },
};

export const ZONE = ['part.quote', 'part.list', 'part.inner'] as const;

/** The types a polymorphic relation may point at. */
export const MORPH_TARGETS = ['plain', 'drafted', 'both'] as const;
/** The type that has polymorphic relations. The targets have the inverse side of `mentions`. */
export const MORPH_OWNER: Kind = 'both';

/** Names of the attributes that all locales of a document share. */
export const SHARED: ReadonlySet<string> = new Set(['count', 'cover', 'rows']);

const MEMBERS: Members = {
  text: { kind: 'text' },
  count: { kind: 'number' },
  cover: { kind: 'link', target: 'file', many: false },
  gallery: { kind: 'link', target: 'file', many: true },
  friend: { kind: 'link', target: 'both', many: false },
  friends: { kind: 'link', target: 'translated', many: true },
  owned: { kind: 'link', target: 'drafted', many: true },
  seo: { kind: 'component', component: 'part.seo', many: false },
  rows: { kind: 'component', component: 'part.row', many: true },
  zone: { kind: 'zone' },
};

const MORPHS: Members = { about: { kind: 'morph', many: false }, mentions: { kind: 'morph', many: true } };

/** Returns the attributes of a type, except its two-way relations. */
export const membersOf = (kind: Kind): Members =>
  kind === MORPH_OWNER ? { ...MEMBERS, ...MORPHS } : MEMBERS;

/**
 * Two-way relations of every shape between the type with drafts and locales and every kind of type, including
 * itself.
 */
export const TWO_WAY: readonly Relation[] = RELATIONS.filter(
  ({ owner, target }) => owner === 'both' || target === 'both',
);

export const uidOfTarget = (target: Target): string =>
  target === 'file' ? 'plugin::upload.file' : `api::${target}.${target}`;

/** The kinds of the one-way relations, by attribute name. */
const ONE_WAY: Readonly<Record<string, string>> = {
  friend: 'oneToOne',
  friends: 'manyToMany',
  owned: 'oneToMany',
  subject: 'oneToOne',
  target: 'oneToOne',
  sources: 'oneToMany',
  peers: 'manyToMany',
  items: 'oneToMany',
};

const attributeOf = (name: string, member: Member): Readonly<Record<string, unknown>> => {
  switch (member.kind) {
    case 'text':
      return { type: 'string' };
    case 'number':
      return { type: 'integer' };
    case 'link':
      return member.target === 'file'
        ? { type: 'media', multiple: member.many }
        : { type: 'relation', relation: ONE_WAY[name], target: uidOfTarget(member.target) };
    case 'morph':
      return { type: 'relation', relation: member.many ? 'morphToMany' : 'morphToOne' };
    case 'component':
      return { type: 'component', component: member.component, repeatable: member.many };
    case 'zone':
      return { type: 'dynamiczone', components: ZONE };
  }
};

const attributesOf = (
  members: Members,
  mark: (name: string) => object = () => ({}),
): TypeLiteral['attributes'] =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, { ...attributeOf(name, member), ...mark(name) }]),
  );

const isMorphTarget = (kind: Kind): boolean => MORPH_TARGETS.some((target) => target === kind);

const typeOf = (kind: Kind): TypeLiteral => ({
  pluralName: `${kind}s`,
  collectionName: `${kind}s`,
  draftAndPublish: hasDrafts(kind),
  localized: isLocalized(kind),
  attributes: {
    ...attributesOf(membersOf(kind), (name) =>
      SHARED.has(name) ? {} : { pluginOptions: { i18n: { localized: true } } },
    ),
    ...relationsOf(kind, TWO_WAY),
    ...(isMorphTarget(kind)
      ? {
          mentioned: {
            type: 'relation',
            relation: 'morphMany',
            target: uidOfTarget(MORPH_OWNER),
            morphBy: 'mentions',
          },
        }
      : {}),
  },
});

/** Types with and without drafts and locales; relations of every kind, also in components and zones. */
export const PROJECT: ProjectLiteral = {
  types: Object.fromEntries(KINDS.map((kind) => [kind, typeOf(kind)])),
  components: Object.fromEntries(
    Object.entries(COMPONENTS).map(([uid, members]) => [uid, { attributes: attributesOf(members) }]),
  ),
};
