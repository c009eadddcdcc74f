import { FILE_UID } from '../../content-types/builtin/registry.js';
import { fail } from '../../errors/catalogue.js';
import { parseFileId } from '../../media/file-id.js';
import { parseFileInfo } from '../../media/file-info.js';
import type { ReadQuery } from '../../query/query.js';
import { typeOf } from '../../query/read-context.js';
import type { ServiceCall } from '../graphql-parts.js';
import { planRoot } from '../selection/plan-read.js';
import { parseRecord } from './root-field.js';

/** What the operation asks for of one file. Throws `request/not-found`. */
const readFile = async ({ context, info }: ServiceCall, id: number): Promise<unknown> => {
  const { model, documents, access } = context.parts;
  const selection = planRoot({ context, info, type: typeOf(model, FILE_UID), action: 'find', under: null });
  const filter = { kind: 'compare', field: 'id', operator: '$eq', operand: id } as const;
  const query: ReadQuery = { type: FILE_UID, filter, sort: [], selection, page: null, locale: access.locales.defaultCode(), status: 'published', hasPublishedVersion: null };
  const [record] = (await documents.findMany(query)).records;
  if (record === undefined) throw fail('request/not-found');
  return parseRecord(record);
};

export async function updateFile(call: ServiceCall): Promise<unknown> {
  const id = parseFileId(call.args['id']);
  if (!(await call.context.parts.media.updateInfo(id, parseFileInfo(call.args['info'] ?? null)))) throw fail('request/not-found');
  return readFile(call, id);
}

/** Answers the file that was. */
export async function deleteFile(call: ServiceCall): Promise<unknown> {
  const id = parseFileId(call.args['id']);
  const record = await readFile(call, id);
  if (!(await call.context.parts.media.remove(id))) throw fail('request/not-found');
  return record;
}
