import { describe, expect, it } from 'vitest';
import type { Attribute, ContentModel, ContentType } from '../../../src/model/model.js';
import { modelFrom } from '../../support/models.js';

const typeOf = (model: ContentModel, name: string): ContentType => {
  const type = model.typesByUid[`api::${name}.${name}`];
  if (type === undefined) throw new Error(`no type ${name}`);
  return type;
};

const columnsOf = (attributes: Readonly<Record<string, Attribute>>): Readonly<Record<string, readonly [string, string]>> =>
  Object.fromEntries(Object.values(attributes).flatMap((attribute) => ('column' in attribute ? [[attribute.name, [attribute.column.name, attribute.column.field]]] : [])));

const linksOf = (type: ContentType): readonly NonNullable<Extract<Attribute, { readonly link: unknown }>['link']>[] =>
  Object.values(type.attributes).flatMap((attribute) => ('link' in attribute && attribute.link !== null && attribute.link.owner === type.uid ? [attribute.link] : []));

const text = { type: 'string' };
const PRISMA_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Every table, model, column and field of a model, each with the space it must be unique in. */
const namesOf = (model: ContentModel): { readonly tables: string[]; readonly models: string[]; readonly rows: { readonly columns: string[]; readonly fields: string[] }[] } => {
  const tables = model.types.flatMap((type) => [type.storage.version.table, type.storage.anchor.table]);
  const models = model.types.flatMap((type) => [type.storage.version.model, type.storage.anchor.model]);
  const rows = model.types.map((type) => {
    const columns = ['id', 'document_id', 'locale', 'status', 'created_at', 'updated_at', 'published_at'];
    const fields = ['id', 'documentId', 'document', 'locale', 'status', 'createdAt', 'updatedAt', 'publishedAt'];
    for (const [column, field] of Object.values(columnsOf(type.attributes))) {
      columns.push(column);
      fields.push(field);
    }
    for (const link of linksOf(type)) {
      if (link.kind !== 'column') {
        tables.push(link.table);
        models.push(link.model);
        continue;
      }
      columns.push(link.column, ...(link.position === null ? [] : [link.position.column]));
      fields.push(link.field, link.relationField, ...(link.position === null ? [] : [link.position.field]));
    }
    return { columns, fields };
  });
  return { tables, models, rows };
};

const expectSound = (model: ContentModel): void => {
  const { tables, models, rows } = namesOf(model);
  const lower = (names: readonly string[]): readonly string[] => names.map((name) => name.toLowerCase());
  for (const names of [tables, models, ...rows.flatMap(({ columns, fields }) => [columns, fields])]) expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  for (const names of [tables, ...rows.map(({ columns }) => columns)]) {
    expect(new Set(lower(names)).size).toBe(names.length);
    for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
  }
  for (const name of [...models, ...rows.flatMap(({ fields }) => fields)]) expect(name).toMatch(PRISMA_NAME);
};

describe('ordinary names', () => {
  it('are the file\'s own', () => {
    const model = modelFrom({ types: { 'blog-post': { attributes: { subTitle: text, URL: text, item_1: text, cover: { type: 'media' }, pages: { type: 'media', multiple: true } } } } });
    const type = typeOf(model, 'blog-post');
    expect(type.typeName).toBe('BlogPost');
    expect(type.storage).toEqual({ version: { table: 'blog_posts', model: 'BlogPost' }, anchor: { table: 'blog_posts_documents', model: 'BlogPostDocument' } });
    expect(columnsOf(type.attributes)).toEqual({ subTitle: ['sub_title', 'subTitle'], URL: ['url', 'URL'], item_1: ['item_1', 'item_1'] });
    expect(linksOf(type)).toMatchObject([{ column: 'cover_document_id', field: 'coverDocumentId', relationField: 'cover' }, { table: 'blog_posts_pages_links', model: 'BlogPostPagesLink' }]);
  });

  it('are the plugin\'s and the type\'s for built-in types', () => {
    const { types } = modelFrom({});
    expect(types.map(({ uid, typeName, storage }) => [uid, typeName, storage.version.table, storage.version.model])).toEqual([
      ['plugin::upload.file', 'UploadFile', 'files', 'UploadFile'],
      ['plugin::users-permissions.permission', 'UsersPermissionsPermission', 'up_permissions', 'UsersPermissionsPermission'],
      ['plugin::users-permissions.role', 'UsersPermissionsRole', 'up_roles', 'UsersPermissionsRole'],
      ['plugin::users-permissions.user', 'UsersPermissionsUser', 'up_users', 'UsersPermissionsUser'],
    ]);
  });
});

describe('difficult names', () => {
  it('keywords of SQL and Prisma work as types', () => {
    const names = ['order', 'group', 'select', 'table', 'user-group', 'model', 'enum', 'datasource', 'generator', 'type', 'default', 'string', 'int', 'date', 'json', 'query', 'mutation', 'then', 'constructor', 'prisma', 'prisma-client', 'locale', 'api-token', 'system-state', 'cms-page', 'decimal', 'bytes', 'document', 'i18n-locale', 'error', 'boolean'];
    const model = modelFrom({ types: Object.fromEntries(names.map((name) => [name, { attributes: { title: text } }])) });
    expectSound(model);
    const models = Object.fromEntries(names.map((name) => [name, [typeOf(model, name).typeName, typeOf(model, name).storage.version.model]]));
    expect(models['then']).toEqual(['Then', 'ThenType']);
    expect(models).toMatchObject({
      order: ['Order', 'Order'], model: ['Model', 'Model'], string: ['StringType', 'StringType'], date: ['DateType', 'DateType'], json: ['JsonType', 'JsonType'], query: ['QueryType', 'QueryType'],
      constructor: ['Constructor', 'ConstructorType'], locale: ['Locale', 'LocaleType'], 'api-token': ['ApiToken', 'ApiTokenType'],
      'cms-page': ['CmsPage', 'TypeCmsPage'], 'prisma-client': ['PrismaClient', 'PrismaClientType'], 'i18n-locale': ['I18NLocaleType', 'I18NLocaleType'],
    });
  });

  it('keywords, system fields and prototype members work as attributes', () => {
    const names = ['select', 'from', 'order', 'group', 'AND', 'OR', 'NOT', 'version', 'document', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'type', 'model', 'enum', 'true', 'null', 'my-name', '_private', '__x', '_1', 'name-', 'a_', 'A_b-C'];
    const model = modelFrom({ types: { thing: { attributes: Object.fromEntries(names.map((name) => [name, text])) } } });
    const { attributes } = typeOf(model, 'thing');
    expectSound(model);
    expect(Object.keys(attributes)).toEqual(names);
    expect(columnsOf(attributes)).toMatchObject({
      AND: ['and', 'AND_'], version: ['version', 'version_'], document: ['document', 'document_'], constructor: ['constructor', 'constructor'],
      'my-name': ['my_name', 'my_name'], _private: ['private', 'private'], _1: ['1', 'field1'], 'A_b-C': ['a_b_c', 'A_b_C'],
    });
    expect(attributes['isPrototypeOf']).toBeUndefined();
  });

  it('long names are cut to what a database keeps, and stay apart', () => {
    const long = `a${'-very-long'.repeat(7)}-name`;
    const attribute = `${'anAttributeNameThatIsLonger'.repeat(3)}Indeed`;
    const target = 'plugin::upload.file';
    const model = modelFrom({
      types: {
        [long]: { attributes: { [attribute]: text, [`${attribute}Too`]: text, [`${attribute}One`]: { type: 'relation', relation: 'oneToOne', target }, [`${attribute}Many`]: { type: 'media', multiple: true }, [`${attribute}More`]: { type: 'media', multiple: true } } },
        [`${long}r`]: { attributes: {} },
      },
    });
    expectSound(model);
    expect(typeOf(model, long).storage.version.table).toMatch(/^a_very_long_very_long_very_long_.*_[0-9a-f]{8}$/);
  });

  it('tables and columns that run into each other stay apart', () => {
    const model = modelFrom({
      types: {
        article: { attributes: { author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' }, author_document_id: text, authorPosition: text, authorDocumentId2: text, tags: { type: 'media', multiple: true } } },
        author: { collectionName: 'articles_documents', attributes: { articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' } } },
        'article-document': { collectionName: 'Articles_Tags_Links', attributes: {} },
        'article-tags-link': { attributes: {} },
        secret: { collectionName: 'cms_api_tokens', attributes: {} },
        internal: { collectionName: 'sqlite_sequence', attributes: {} },
        history: { collectionName: '_prisma_migrations', attributes: {} },
      },
    });
    expectSound(model);
    const article = typeOf(model, 'article');
    expect(columnsOf(article.attributes)).toMatchObject({ author_document_id: ['author_document_id', 'author_document_id'], authorPosition: ['author_position', 'authorPosition'] });
    expect(typeOf(model, 'author').storage.version.table).toBe('articles_documents');
    expect(typeOf(model, 'secret').storage).toMatchObject({ version: { table: 'content_cms_api_tokens' }, anchor: { table: 'content_cms_api_tokens_documents' } });
    expect(typeOf(model, 'internal').storage.version.table).toBe('content_sqlite_sequence');
    expect(typeOf(model, 'history').storage.version.table).toBe('content__prisma_migrations');
  });

  it('a new relation never renames a column that is there', () => {
    const relation = { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' };
    const author = { attributes: { articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' } } };
    const before = modelFrom({ types: { article: { attributes: { author_position: text, author_document_id: text } } } });
    const after = modelFrom({ types: { article: { attributes: { author: relation, author_position: text, author_document_id: text } }, author } });
    expect(columnsOf(typeOf(after, 'article').attributes)).toEqual(columnsOf(typeOf(before, 'article').attributes));
    expectSound(after);
  });

  it('the same files give the same names, whatever their order', () => {
    const types = { a: { attributes: { x: text, y: { type: 'media' } } }, b: { attributes: {} }, c: { attributes: {} } };
    const reversed = Object.fromEntries(Object.entries(types).toReversed());
    expect(modelFrom({ types: reversed })).toEqual(modelFrom({ types }));
  });
});
