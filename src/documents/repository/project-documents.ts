import type { DocumentHooks } from '../hooks.js';
import { createGetRepository } from './create-repository.js';
import type { RepositoryDependencies } from './create-repository.js';
import type { GetRepository } from './document-repository.js';

/**
 * The document service as project code gets it: `documents(uid)` reads and writes; `use`, `before` and
 * `after` register hooks.
 *
 * @example
 *   const drafts = await documents('api::article.article').findMany({ sort: 'title' });
 *   documents.after('publish', ({ documentId }) => console.error('published', documentId));
 */
export type ProjectDocuments = GetRepository & Pick<DocumentHooks, 'use' | 'before' | 'after'>;

export function createProjectDocuments({
  hooks: { use, before, after },
  ...dependencies
}: RepositoryDependencies & { readonly hooks: DocumentHooks }): ProjectDocuments {
  return Object.assign(createGetRepository(dependencies), { use, before, after });
}
