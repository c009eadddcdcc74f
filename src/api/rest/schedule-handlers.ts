import type { Schedule } from '../../documents/schedules/schedule.js';
import type { ContentType } from '../../model/model.js';
import { answerDocumentLocale } from './answer-document-locale.js';
import { printOne } from './envelope.js';
import { dataOf } from './request-params.js';
import type { Handler, RestDependencies } from './rest-dependencies.js';

const printFound = (found: Schedule | null): string | null =>
  found === null ? null : printOne(JSON.stringify(found));

/** GET /api/articles/:documentId/schedule and GET /api/homepage/schedule */
export function findSchedule(dependencies: RestDependencies, type: ContentType): Handler {
  return answerDocumentLocale(dependencies, type, async (params) =>
    printFound(await dependencies.documents.findSchedule(params)),
  );
}

/** PUT /api/articles/:documentId/schedule and PUT /api/homepage/schedule */
export function schedule(dependencies: RestDependencies, type: ContentType): Handler {
  return answerDocumentLocale(dependencies, type, async (params, request) =>
    printFound(await dependencies.documents.schedule({ ...params, data: dataOf(request) })),
  );
}
