import type { ProjectLiteral } from '../../../support/models.js';

const relation = (kind: string, target: string, rest = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...rest,
});

const LONG = 'a-content-type-whose-name-goes-on-and-on-beyond-forty-characters';
const ALSO_LONG = `${LONG}-too`;

/** Names that are keywords, that collide, or that are longer than a database allows. */
export const TORTURE: ProjectLiteral = {
  types: {
    select: {
      attributes: {
        from: { type: 'string', unique: true },
        where: { type: 'integer' },
        model: { type: 'string' },
        enum: { type: 'json' },
        order: relation('manyToOne', 'order', { inversedBy: 'group' }),
      },
    },
    order: {
      draftAndPublish: true,
      localized: true,
      attributes: {
        group: relation('oneToMany', 'select', { mappedBy: 'order' }),
        document: { type: 'string' },
        versions: relation('oneToMany', 'order'),
      },
    },
    'api-token': { attributes: { locale_code: { type: 'uid' }, 'key-hash': { type: 'string' } } },
    locale: {
      attributes: {
        code: { type: 'string', unique: true },
        self: relation('oneToOne', 'locale', { inversedBy: 'other' }),
        other: relation('oneToOne', 'locale', { mappedBy: 'self' }),
      },
    },
    'blog-post': {
      attributes: {
        _private: { type: 'string' },
        source: relation('manyToMany', 'blog-post', { inversedBy: 'target' }),
        target: relation('manyToMany', 'blog-post', { mappedBy: 'source' }),
      },
    },
    a: {
      collectionName: 'a',
      attributes: { b_links: { type: 'string', unique: true }, b: relation('oneToMany', 'c') },
    },
    c: { collectionName: 'a_b', attributes: { links: { type: 'uid' }, c: { type: 'string', unique: true } } },
    [LONG]: {
      pluralName: `${LONG}-all`,
      draftAndPublish: true,
      attributes: {
        anAttributeWhoseNameGoesOnAndOnBeyondWhatPostgresKeepsForTheNameOfAColumn: {
          type: 'string',
          unique: true,
        },
        anAttributeWhoseNameGoesOnAndOnBeyondWhatPostgresKeepsForTheNameOfAColumn2: {
          type: 'string',
          unique: true,
        },
        theOtherOnesThatThisOneIsLinkedToInManyWays: relation('manyToMany', ALSO_LONG, {
          inversedBy: 'theFirstOnesThatThisOneIsLinkedTo',
        }),
        theOtherOnesThatThisOneIsLinkedToInManyWaysAgain: relation('oneToOne', ALSO_LONG),
      },
    },
    [ALSO_LONG]: {
      localized: true,
      attributes: {
        theFirstOnesThatThisOneIsLinkedTo: relation('manyToMany', LONG, {
          mappedBy: 'theOtherOnesThatThisOneIsLinkedToInManyWays',
        }),
      },
    },
    comment: {
      attributes: {
        about: { type: 'relation', relation: 'morphToMany' },
        first: { type: 'relation', relation: 'morphToOne' },
      },
    },
    news: {
      pluralName: 'news-items',
      kind: 'singleType',
      attributes: {
        comments: relation('morphMany', 'comment', { morphBy: 'about' }),
        comment: relation('morphOne', 'comment', { morphBy: 'first' }),
        pictures: { type: 'media', multiple: true },
      },
    },
  },
  user: { attributes: { favourite: relation('oneToOne', 'order'), constructor: { type: 'string' } } },
};
