import { describe, expect, it } from 'vitest';
import type { ContentModel, Link } from '../../../src/model/model.js';
import { modelFrom } from '../../support/models.js';
import { A, attributeOf, B, linkAttribute, relation } from './link-helpers.js';

type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Versions {
  readonly draftAndPublish?: boolean;
  readonly localized?: boolean;
}

const pair = (
  a: Attributes,
  b: Attributes,
  versions: { readonly a?: Versions; readonly b?: Versions } = {},
): ContentModel =>
  modelFrom({ types: { a: { attributes: a, ...versions.a }, b: { attributes: b, ...versions.b } } });

const kinds = {
  oneToOne: {
    a: relation('oneToOne', B, { inversedBy: 'as' }),
    b: relation('oneToOne', A, { mappedBy: 'bs' }),
  },
  manyToOne: {
    a: relation('manyToOne', B, { inversedBy: 'as' }),
    b: relation('oneToMany', A, { mappedBy: 'bs' }),
  },
  manyToMany: {
    a: relation('manyToMany', B, { inversedBy: 'as' }),
    b: relation('manyToMany', A, { mappedBy: 'bs' }),
  },
};

describe('two-way relations', () => {
  it.each([
    ['oneToOne', { a: [false, 'owner'], b: [false, 'inverse'] }],
    ['manyToOne', { a: [false, 'owner'], b: [true, 'inverse'] }],
    ['manyToMany', { a: [true, 'owner'], b: [true, 'inverse'] }],
  ] as const)('%s: both sides share one link, owned by the side with inversedBy', (kind, expected) => {
    const model = pair({ bs: kinds[kind].a }, { as: kinds[kind].b });
    const [own, inverse] = [linkAttribute(model, A, 'bs'), linkAttribute(model, B, 'as')];
    expect([own.many, own.side, own.counterpart, own.target]).toEqual([...expected.a, 'as', B]);
    expect([inverse.many, inverse.side, inverse.counterpart, inverse.target]).toEqual([
      ...expected.b,
      'bs',
      A,
    ]);
    expect(own.link).not.toBeNull();
    expect(inverse.link).toBe(own.link);
    expect(own.link).toMatchObject({
      owner: A,
      ownerAttribute: 'bs',
      inverseAttribute: 'as',
      target: B,
      exclusive: kind === 'oneToOne',
    });
  });

  it('store a position for the inverse side only if it is to-many', () => {
    const link = (kind: keyof typeof kinds): Link | null =>
      linkAttribute(pair({ bs: kinds[kind].a }, { as: kinds[kind].b }), A, 'bs').link;
    expect(link('oneToOne')).toMatchObject({
      kind: 'column',
      column: 'bs_document_id',
      field: 'bsDocumentId',
      relationField: 'bs',
      position: null,
    });
    expect(link('manyToOne')).toMatchObject({
      kind: 'column',
      position: { column: 'bs_position', field: 'bsPosition' },
    });
    expect(link('manyToMany')).toMatchObject({
      kind: 'table',
      table: 'as_bs_links',
      model: 'ABsLink',
      ownerMany: true,
      hasInversePosition: true,
    });
  });

  it('may be between a type and itself', () => {
    const model = modelFrom({
      types: {
        a: {
          attributes: {
            parent: relation('manyToOne', A, { inversedBy: 'children' }),
            children: relation('oneToMany', A, { mappedBy: 'parent' }),
          },
        },
      },
    });
    expect(linkAttribute(model, A, 'children').link).toBe(linkAttribute(model, A, 'parent').link);
    expect(linkAttribute(model, A, 'parent').link).toMatchObject({
      kind: 'column',
      owner: A,
      target: A,
      position: { column: 'parent_position' },
    });
  });
});

describe('one-way relations', () => {
  it.each([
    ['oneToOne', false],
    ['manyToOne', false],
    ['oneToMany', true],
    ['manyToMany', true],
  ] as const)('%s has an owner only, is not exclusive and has no inverse position', (kind, many) => {
    const own = linkAttribute(pair({ bs: relation(kind, B) }, {}), A, 'bs');
    expect(own).toMatchObject({ many, side: 'owner', counterpart: null });
    expect(own.link).toMatchObject({
      kind: many ? 'table' : 'column',
      owner: A,
      inverseAttribute: null,
      exclusive: false,
      ...(many ? { ownerMany: true, hasInversePosition: false } : { position: null }),
    });
  });
});

describe('relations between types with and without versions', () => {
  const both: Versions = { draftAndPublish: true, localized: true };
  const plain: Versions = {};
  const drafts: Versions = { draftAndPublish: true };
  const locales: Versions = { localized: true };

  it.each([
    [plain, plain, 'column', false, false],
    [both, plain, 'column', false, false],
    [both, both, 'column', false, false],
    [both, drafts, 'column', false, false],
    [plain, drafts, 'table', true, false],
    [plain, locales, 'table', false, true],
    [plain, both, 'table', true, true],
    [drafts, locales, 'table', false, true],
    [locales, drafts, 'table', true, false],
    [drafts, both, 'table', false, true],
    [locales, both, 'table', true, false],
  ] as const)('from %o to %o is stored in a %s', (a, b, kind, hasTargetStatus, hasTargetLocale) => {
    const { link } = linkAttribute(
      pair({ bs: kinds.manyToOne.a }, { as: kinds.manyToOne.b }, { a, b }),
      A,
      'bs',
    );
    expect(link).toMatchObject({
      kind,
      ...(kind === 'table'
        ? { ownerMany: false, hasInversePosition: true, hasTargetStatus, hasTargetLocale }
        : {}),
    });
    const { link: many } = linkAttribute(pair({ bs: relation('manyToMany', B) }, {}, { a, b }), A, 'bs');
    expect(many).toMatchObject({ kind: 'table', ownerMany: true, hasTargetStatus, hasTargetLocale });
  });

  it('a oneToOne in a table is exclusive too', () => {
    const { link } = linkAttribute(
      pair({ bs: kinds.oneToOne.a }, { as: kinds.oneToOne.b }, { b: drafts }),
      A,
      'bs',
    );
    expect(link).toMatchObject({
      kind: 'table',
      exclusive: true,
      ownerMany: false,
      hasInversePosition: false,
    });
  });
});

describe('media', () => {
  it('are relations to the file type: a column for one file, a table for several', () => {
    const model = pair(
      { cover: { type: 'media', allowedTypes: ['images'] }, gallery: { type: 'media', multiple: true } },
      {},
    );
    expect(attributeOf(model, A, 'cover')).toMatchObject({
      family: 'media',
      many: false,
      target: 'plugin::upload.file',
      allowedTypes: ['images'],
      link: { kind: 'column', column: 'cover_document_id', position: null, exclusive: false },
    });
    expect(attributeOf(model, A, 'gallery')).toMatchObject({
      family: 'media',
      many: true,
      allowedTypes: ['images', 'videos', 'files', 'audios'],
      link: {
        kind: 'table',
        target: 'plugin::upload.file',
        ownerMany: true,
        hasInversePosition: false,
        hasTargetStatus: false,
        hasTargetLocale: false,
      },
    });
  });
});

describe('components', () => {
  it("keep relations and media in their owner's JSON, without a link", () => {
    const model = modelFrom({
      types: { a: { attributes: {} } },
      components: {
        'shared.part': {
          attributes: {
            one: relation('oneToOne', A),
            many: relation('oneToMany', A),
            image: { type: 'media' },
            subTitle: { type: 'string' },
          },
        },
      },
    });
    expect(attributeOf(model, 'shared.part', 'one')).toMatchObject({
      many: false,
      target: A,
      link: null,
      side: 'owner',
      localized: false,
    });
    expect(attributeOf(model, 'shared.part', 'many')).toMatchObject({ many: true, target: A, link: null });
    expect(attributeOf(model, 'shared.part', 'image')).toMatchObject({ many: false, link: null });
    expect(attributeOf(model, 'shared.part', 'subTitle')).toMatchObject({
      column: { name: 'sub_title', field: 'subTitle', kind: 'text' },
    });
  });
});
