import type { FastifyRequest } from 'fastify';
import { createError } from '../../errors/catalogue.js';
import type { ContentType } from '../../model/model.js';
import { sendJson } from './envelope.js';
import { callerOf } from './guard.js';
import { localeOf } from './read-params.js';
import { documentIdOf } from './request-params.js';
import type { Handler, RestDependencies } from './rest-dependencies.js';

/** One locale of a document, as a request names it, and how far its caller may see. */
interface DocumentLocale {
  readonly type: string;
  readonly documentId: string;
  readonly locale: string | undefined;
  readonly access: ReturnType<RestDependencies['access']['readAccessOf']>;
}

/** Answers a request about one locale of a document. Null from `answer`: there is none. */
export const answerDocumentLocale =
  (
    dependencies: RestDependencies,
    type: ContentType,
    answer: (params: DocumentLocale, request: FastifyRequest) => Promise<string | null>,
  ): Handler =>
  async (request, reply) => {
    const { access, documents } = dependencies;
    const documentId =
      type.kind === 'singleType' ? await documents.singleDocumentId(type.uid) : documentIdOf(request);
    const locale = localeOf(dependencies, request);
    const params = { type: type.uid, locale, access: access.readAccessOf(callerOf(request)) };
    const text = documentId === null ? null : await answer({ ...params, documentId }, request);
    if (text === null) throw createError('request/not-found');
    return sendJson(reply, 200, text);
  };
