import { describe, expect, it } from 'vitest';
import { modelFrom } from '../../support/models.js';
import { columnsOf, expectSound, text, typeOf } from './name-helpers.js';

describe('difficult names', () => {
  it('accepts keywords of SQL and Prisma as names of types', () => {
    const names = [
      'order',
      'group',
      'select',
      'table',
      'user-group',
      'model',
      'enum',
      'datasource',
      'generator',
      'type',
      'default',
      'string',
      'int',
      'date',
      'json',
      'query',
      'mutation',
      'then',
      'constructor',
      'prisma',
      'prisma-client',
      'locale',
      'api-token',
      'system-state',
      'cms-page',
      'decimal',
      'bytes',
      'document',
      'i18n-locale',
      'error',
      'boolean',
    ];
    const model = modelFrom({
      types: Object.fromEntries(names.map((name) => [name, { attributes: { title: text } }])),
    });
    expectSound(model);
    const models = Object.fromEntries(
      names.map((name) => [name, [typeOf(model, name).typeName, typeOf(model, name).storage.version.model]]),
    );
    expect(models['then']).toEqual(['Then', 'ThenType']);
    expect(models).toMatchObject({
      order: ['Order', 'Order'],
      model: ['Model', 'Model'],
      string: ['StringType', 'StringType'],
      date: ['DateType', 'DateType'],
      json: ['JsonType', 'JsonType'],
      query: ['QueryType', 'QueryType'],
      constructor: ['Constructor', 'ConstructorType'],
      locale: ['Locale', 'LocaleType'],
      'api-token': ['ApiToken', 'ApiTokenType'],
      'cms-page': ['CmsPage', 'TypeCmsPage'],
      'prisma-client': ['PrismaClient', 'PrismaClientType'],
      'i18n-locale': ['I18NLocaleType', 'I18NLocaleType'],
    });
  });

  it('accepts keywords, system fields and prototype members as names of attributes', () => {
    const names = [
      'select',
      'from',
      'order',
      'group',
      'AND',
      'OR',
      'NOT',
      'version',
      'document',
      'constructor',
      'toString',
      'hasOwnProperty',
      'valueOf',
      'type',
      'model',
      'enum',
      'true',
      'null',
      'my-name',
      '_private',
      '__x',
      '_1',
      'name-',
      'a_',
      'A_b-C',
    ];
    const model = modelFrom({
      types: { thing: { attributes: Object.fromEntries(names.map((name) => [name, text])) } },
    });
    const { attributes } = typeOf(model, 'thing');
    expectSound(model);
    expect(Object.keys(attributes)).toEqual(names);
    expect(columnsOf(attributes)).toMatchObject({
      AND: ['and', 'AND_'],
      version: ['version', 'version_'],
      document: ['document', 'document_'],
      constructor: ['constructor', 'constructor'],
      'my-name': ['my_name', 'my_name'],
      _private: ['private', 'private'],
      _1: ['1', 'field1'],
      'A_b-C': ['a_b_c', 'A_b_C'],
    });
    expect(attributes['isPrototypeOf']).toBeUndefined();
  });

  it('keeps relations, media and components apart whose names are equal in snake case', () => {
    const toMany = { type: 'relation', relation: 'oneToMany', target: 'api::post.post' };
    const toOne = { type: 'relation', relation: 'manyToOne', target: 'api::writer.writer' };
    const model = modelFrom({
      types: {
        writer: {
          attributes: {
            blog_posts: { ...toMany, mappedBy: 'writer' },
            blogPosts: { ...toMany, mappedBy: 'Writer' },
            BlogPosts: { type: 'media', multiple: true },
            Blog_posts: { type: 'component', component: 'shared.seo' },
            'blog-posts': text,
          },
        },
        post: {
          attributes: {
            writer: { ...toOne, inversedBy: 'blog_posts' },
            Writer: { ...toOne, inversedBy: 'blogPosts' },
            tags: { type: 'relation', relation: 'manyToMany', target: 'api::writer.writer' },
            Tags: { type: 'relation', relation: 'manyToMany', target: 'api::writer.writer' },
          },
        },
      },
      components: { 'shared.seo': { attributes: { title: text } } },
    });
    expectSound(model);
  });

  it('shortens long names to the limit of the databases, and keeps them unique', () => {
    const long = `a${'-very-long'.repeat(7)}-name`;
    const attribute = `${'anAttributeNameThatIsLonger'.repeat(3)}Indeed`;
    const target = 'plugin::upload.file';
    const model = modelFrom({
      types: {
        [long]: {
          attributes: {
            [attribute]: text,
            [`${attribute}Too`]: text,
            [`${attribute}One`]: { type: 'relation', relation: 'oneToOne', target },
            [`${attribute}Many`]: { type: 'media', multiple: true },
            [`${attribute}More`]: { type: 'media', multiple: true },
          },
        },
        [`${long}r`]: { attributes: {} },
      },
    });
    expectSound(model);
    expect(typeOf(model, long).storage.version.table).toMatch(
      /^a_very_long_very_long_very_long_.*_[0-9a-f]{8}$/,
    );
  });

  it('gives tables and columns with equal names different ones', () => {
    const model = modelFrom({
      types: {
        article: {
          attributes: {
            author: {
              type: 'relation',
              relation: 'manyToOne',
              target: 'api::author.author',
              inversedBy: 'articles',
            },
            author_document_id: text,
            authorPosition: text,
            authorDocumentId2: text,
            tags: { type: 'media', multiple: true },
          },
        },
        author: {
          collectionName: 'articles_documents',
          attributes: {
            articles: {
              type: 'relation',
              relation: 'oneToMany',
              target: 'api::article.article',
              mappedBy: 'author',
            },
          },
        },
        'article-document': { collectionName: 'Articles_Tags_Links', attributes: {} },
        'article-tags-link': { attributes: {} },
        secret: { collectionName: 'cms_api_tokens', attributes: {} },
        internal: { collectionName: 'sqlite_sequence', attributes: {} },
        history: { collectionName: '_prisma_migrations', attributes: {} },
      },
    });
    expectSound(model);
    const article = typeOf(model, 'article');
    expect(columnsOf(article.attributes)).toMatchObject({
      author_document_id: ['author_document_id', 'author_document_id'],
      authorPosition: ['author_position', 'authorPosition'],
    });
    expect(typeOf(model, 'author').storage.version.table).toBe('articles_documents');
    expect(typeOf(model, 'secret').storage).toMatchObject({
      version: { table: 'content_cms_api_tokens' },
      document: { table: 'content_cms_api_tokens_documents' },
    });
    expect(typeOf(model, 'internal').storage.version.table).toBe('content_sqlite_sequence');
    expect(typeOf(model, 'history').storage.version.table).toBe('content__prisma_migrations');
  });

  it('keeps the names of existing columns when a relation is added', () => {
    const relation = {
      type: 'relation',
      relation: 'manyToOne',
      target: 'api::author.author',
      inversedBy: 'articles',
    };
    const author = {
      attributes: {
        articles: {
          type: 'relation',
          relation: 'oneToMany',
          target: 'api::article.article',
          mappedBy: 'author',
        },
      },
    };
    const before = modelFrom({
      types: { article: { attributes: { author_position: text, author_document_id: text } } },
    });
    const after = modelFrom({
      types: {
        article: { attributes: { author: relation, author_position: text, author_document_id: text } },
        author,
      },
    });
    expect(columnsOf(typeOf(after, 'article').attributes)).toEqual(
      columnsOf(typeOf(before, 'article').attributes),
    );
    expectSound(after);
  });

  it('gives the same names for the same files in any order', () => {
    const types = {
      a: { attributes: { x: text, y: { type: 'media' } } },
      b: { attributes: {} },
      c: { attributes: {} },
    };
    const reversed = Object.fromEntries(Object.entries(types).toReversed());
    expect(modelFrom({ types: reversed })).toEqual(modelFrom({ types }));
  });
});
