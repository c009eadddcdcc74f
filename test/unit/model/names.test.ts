import { describe, expect, it } from 'vitest';
import { modelFrom } from '../../support/models.js';
import { columnsOf, linksOf, text, typeOf } from './name-helpers.js';

describe('ordinary names', () => {
  it('are derived from the names in the file', () => {
    const model = modelFrom({
      types: {
        'blog-post': {
          attributes: {
            subTitle: text,
            URL: text,
            item_1: text,
            cover: { type: 'media' },
            pages: { type: 'media', multiple: true },
          },
        },
      },
    });
    const type = typeOf(model, 'blog-post');
    expect(type.typeName).toBe('BlogPost');
    expect(type.storage).toEqual({
      version: { table: 'blog_posts', model: 'BlogPost' },
      document: { table: 'blog_posts_documents', model: 'BlogPostDocument' },
    });
    expect(columnsOf(type.attributes)).toEqual({
      subTitle: ['sub_title', 'subTitle'],
      URL: ['url', 'URL'],
      item_1: ['item_1', 'item_1'],
    });
    expect(linksOf(type)).toMatchObject([
      { column: 'cover_document_id', field: 'coverDocumentId', relationField: 'cover' },
      { table: 'blog_posts_pages_links', model: 'BlogPostPagesLink' },
    ]);
  });

  it("of built-in types are made of the plugin's and the type's name", () => {
    const { types } = modelFrom({});
    expect(
      types.map(({ uid, typeName, storage }) => [
        uid,
        typeName,
        storage.version.table,
        storage.version.model,
      ]),
    ).toEqual([
      ['plugin::upload.file', 'UploadFile', 'files', 'UploadFile'],
      [
        'plugin::users-permissions.permission',
        'UsersPermissionsPermission',
        'up_permissions',
        'UsersPermissionsPermission',
      ],
      ['plugin::users-permissions.role', 'UsersPermissionsRole', 'up_roles', 'UsersPermissionsRole'],
      ['plugin::users-permissions.user', 'UsersPermissionsUser', 'up_users', 'UsersPermissionsUser'],
    ]);
  });
});
