import type { FastifyRequest } from 'fastify';
import type { DocumentHistory } from '../../documents/versions/document-history.js';
import { defined } from '../../lib/defined.js';
import type { ContentType } from '../../model/model.js';
import { invalidParameter } from '../../query/read-context.js';
import { answerDocumentLocale } from './answer-document-locale.js';
import { printOne } from './envelope.js';
import type { Handler, RestDependencies } from './rest-dependencies.js';

const versionOf = (request: FastifyRequest): number => {
  const { version = '' } = request.params as { readonly version?: string };
  if (!/^[1-9]\d{0,8}$/.test(version))
    throw invalidParameter('version', 'it must be the number of a version.');
  return Number(version);
};

const historyOf = ({ history }: RestDependencies): DocumentHistory => defined(history, 'The history');

/** GET /api/articles/:documentId/versions */
export function findVersions(dependencies: RestDependencies, type: ContentType): Handler {
  return answerDocumentLocale(dependencies, type, async (params) => {
    const versions = await historyOf(dependencies).list(params);
    return versions === null ? null : printOne(JSON.stringify(versions));
  });
}

/** GET /api/articles/:documentId/versions/:version */
export function findVersion(dependencies: RestDependencies, type: ContentType): Handler {
  return answerDocumentLocale(dependencies, type, async (params, request) => {
    const found = await historyOf(dependencies).find(params, versionOf(request));
    return found === null ? null : printOne(JSON.stringify(found));
  });
}

/** POST /api/articles/:documentId/versions/:version/restore */
export function restoreVersion(dependencies: RestDependencies, type: ContentType): Handler {
  return answerDocumentLocale(dependencies, type, async (params, request) => {
    const restored = await historyOf(dependencies).restore(params, versionOf(request));
    if (restored === null) return null;
    return `{"data":${restored.record},"meta":${JSON.stringify({ omitted: restored.omitted })}}`;
  });
}
