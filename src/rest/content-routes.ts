import type { ContentModel, ContentType, Uid } from '../model/model.js';

export type Operation = 'find' | 'findOne' | 'create' | 'update' | 'delete' | 'findSingle' | 'updateSingle' | 'deleteSingle';

/** One generated endpoint: what it is called by and what a caller must be granted for it. */
export interface ContentRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/api/articles/:documentId` */
  readonly path: string;
  readonly uid: Uid;
  /** The action granted by roles and tokens: `findOne`. */
  readonly action: string;
  readonly operation: Operation;
}

const collectionRoutes = (type: ContentType, prefix: string): readonly ContentRoute[] => {
  const { uid } = type;
  const all = `${prefix}/${type.pluralName}`;
  const one = `${all}/:documentId`;
  return [
    { method: 'GET', path: all, uid, action: 'find', operation: 'find' },
    { method: 'POST', path: all, uid, action: 'create', operation: 'create' },
    { method: 'GET', path: one, uid, action: 'findOne', operation: 'findOne' },
    { method: 'PUT', path: one, uid, action: 'update', operation: 'update' },
    { method: 'DELETE', path: one, uid, action: 'delete', operation: 'delete' },
  ];
};

const singleRoutes = (type: ContentType, prefix: string): readonly ContentRoute[] => {
  const { uid } = type;
  const path = `${prefix}/${type.singularName}`;
  return [
    { method: 'GET', path, uid, action: 'find', operation: 'findSingle' },
    { method: 'PUT', path, uid, action: 'update', operation: 'updateSingle' },
    { method: 'DELETE', path, uid, action: 'delete', operation: 'deleteSingle' },
  ];
};

/**
 * The endpoints of every content-type of the project, in the model's order. Built-in types have endpoints of their own elsewhere.
 *
 * @example compileContentRoutes(model, '/api').map(({ method, path }) => `${method} ${path}`)
 */
export function compileContentRoutes(model: ContentModel, prefix: string): readonly ContentRoute[] {
  return model.types
    .filter((type) => type.origin === 'project')
    .flatMap((type) => (type.kind === 'singleType' ? singleRoutes(type, prefix) : collectionRoutes(type, prefix)));
}
