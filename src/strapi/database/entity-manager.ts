import type { Uid } from '../../model/model.js';
import { withKnownProperties } from '../unavailable.js';
import type { QueryEngine } from './query-engine.js';

const METHODS = [
  'findOne',
  'findMany',
  'findWithCount',
  'findPage',
  'count',
  'create',
  'createMany',
  'update',
  'updateMany',
  'delete',
  'deleteMany',
  'load',
] as const satisfies readonly (keyof QueryEngine)[];

type Call = (...values: readonly unknown[]) => unknown;

/** Creates `strapi.db.entityManager`: `strapi.db.query`, with the content-type as the first parameter. */
export function createEntityManager(query: (uid: Uid) => QueryEngine): object {
  const calls = METHODS.map((method) => [
    method,
    (uid: Uid, ...rest: readonly unknown[]) => (query(uid)[method] as Call)(...rest),
  ]);
  return withKnownProperties('strapi.db.entityManager', {
    ...(Object.fromEntries(calls) as Readonly<Record<string, Call>>),
    getRepository: query,
  });
}
