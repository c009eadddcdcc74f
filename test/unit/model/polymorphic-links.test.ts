import { describe, expect, it } from 'vitest';
import { modelFrom } from '../../support/models.js';
import { A, B, linkAttribute, relation } from './link-helpers.js';

describe('polymorphic relations', () => {
  it('target the types whose attributes name them in morphBy', () => {
    const model = modelFrom({
      types: {
        a: { attributes: { subject: { type: 'relation', relation: 'morphToMany' } } },
        b: { attributes: { as: relation('morphMany', A, { morphBy: 'subject' }) } },
        c: { attributes: { first: relation('morphOne', A, { morphBy: 'subject' }) } },
        d: { attributes: {} },
      },
    });
    const own = linkAttribute(model, A, 'subject');
    expect(own).toMatchObject({
      relation: 'morphToMany',
      many: true,
      target: null,
      side: 'owner',
      counterpart: null,
    });
    expect(own.link).toEqual({
      kind: 'morph',
      owner: A,
      ownerAttribute: 'subject',
      inverseAttribute: null,
      exclusive: false,
      ownerMany: true,
      table: 'as_subject_links',
      model: 'ASubjectLink',
      targets: [
        { uid: B, column: 'b_document_id', field: 'bDocumentId', relationField: 'b', inverseAttribute: 'as' },
        {
          uid: 'api::c.c',
          column: 'c_document_id',
          field: 'cDocumentId',
          relationField: 'c',
          inverseAttribute: 'first',
        },
      ],
    });
    expect(linkAttribute(model, B, 'as')).toMatchObject({
      many: true,
      side: 'inverse',
      target: A,
      counterpart: 'subject',
    });
    expect(linkAttribute(model, 'api::c.c', 'first')).toMatchObject({ many: false, side: 'inverse' });
    expect(linkAttribute(model, 'api::c.c', 'first').link).toBe(own.link);
  });

  it('target all types of the project, users and files if no attribute names them in morphBy', () => {
    const model = modelFrom({
      types: {
        a: { attributes: { subject: { type: 'relation', relation: 'morphToOne' } } },
        source: { attributes: {} },
      },
    });
    const { link, many } = linkAttribute(model, A, 'subject');
    expect(many).toBe(false);
    expect(link?.kind === 'morph' ? link.targets : []).toEqual([
      { uid: A, column: 'a_document_id', field: 'aDocumentId', relationField: 'a', inverseAttribute: null },
      {
        uid: 'api::source.source',
        column: 'source_document_id',
        field: 'sourceDocumentId',
        relationField: 'source_',
        inverseAttribute: null,
      },
      {
        uid: 'plugin::upload.file',
        column: 'upload_file_document_id',
        field: 'uploadFileDocumentId',
        relationField: 'uploadFile',
        inverseAttribute: null,
      },
      {
        uid: 'plugin::users-permissions.user',
        column: 'users_permissions_user_document_id',
        field: 'usersPermissionsUserDocumentId',
        relationField: 'usersPermissionsUser',
        inverseAttribute: null,
      },
    ]);
  });
});
