import { fail } from '../../errors/catalogue.js';
import { isStorableText } from '../../fields/text-value.js';
import { isRecord } from '../../lib/is-record.js';
import { cleanName } from '../../media/file-name.js';
import type { FileInfo } from '../../media/media.js';
import type { ReadQuery } from '../../query/query.js';
import { typeOf } from '../../query/read-context.js';
import type { ServiceCall } from '../graphql-parts.js';
import { planRoot } from '../selection/plan-read.js';
import { parseRecord } from './root-field.js';

const FILE_UID = 'plugin::upload.file';

/** The largest id the databases have room for. */
const MAX_ID = 2_147_483_647;
const TEXT_LENGTH = 10_000;

const fileIdOf = ({ args }: ServiceCall): number => {
  const { id } = args;
  const number = typeof id === 'string' && /^\d{1,10}$/.test(id) ? Number(id) : 0;
  if (number < 1 || number > MAX_ID) throw fail('request/not-found');
  return number;
};

const textOf = (info: Readonly<Record<string, unknown>>, key: string): string | null | undefined => {
  const value = info[key];
  if (value === undefined || value === null) return value;
  if (typeof value === 'string' && value.length <= TEXT_LENGTH && isStorableText(value)) return value;
  throw fail('upload/invalid-info', { reason: `${key} must be text of at most ${TEXT_LENGTH} characters` });
};

const infoOf = ({ args }: ServiceCall): FileInfo => {
  const info = isRecord(args['info']) ? args['info'] : {};
  const [name, alternativeText, caption] = [textOf(info, 'name'), textOf(info, 'alternativeText'), textOf(info, 'caption')];
  if (name === '') throw fail('upload/invalid-info', { reason: 'name must not be empty' });
  return {
    ...(name === undefined || name === null ? {} : { name: cleanName(name) }),
    ...(alternativeText === undefined ? {} : { alternativeText }),
    ...(caption === undefined ? {} : { caption }),
  };
};

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
  const id = fileIdOf(call);
  if (!(await call.context.parts.media.updateInfo(id, infoOf(call)))) throw fail('request/not-found');
  return readFile(call, id);
}

/** Answers the file that was. */
export async function deleteFile(call: ServiceCall): Promise<unknown> {
  const id = fileIdOf(call);
  const record = await readFile(call, id);
  if (!(await call.context.parts.media.remove(id))) throw fail('request/not-found');
  return record;
}
