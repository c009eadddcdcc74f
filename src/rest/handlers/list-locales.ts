import type { LocaleRecord } from '../../access/access.js';
import type { Handler, RestParts } from '../rest-parts.js';
import { sendJson } from '../send-json.js';

const printLocale = (locale: LocaleRecord): Readonly<Record<string, unknown>> => {
  const { id, documentId, name, code, createdAt, updatedAt, isDefault } = locale;
  return { id, documentId, name, code, createdAt, updatedAt, publishedAt: createdAt, isDefault };
};

/** GET /api/i18n/locales: a bare list, outside the envelope. */
export function createListLocalesHandler({ access }: RestParts): Handler {
  return async (_request, reply) => sendJson(reply, 200, JSON.stringify(access.locales.all().map(printLocale)));
}
