import type { GraphQLResolveInfo } from 'graphql';
import { fail } from '../../errors/catalogue.js';
import { isStorableText } from '../../fields/text-value.js';
import { deepFreeze } from '../../lib/freeze.js';
import { isRecord } from '../../lib/is-record.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import { coveredType } from '../../query/coverage.js';
import { isContentType } from '../../query/holder-fields.js';
import type { PopulateNode, ReadQuery } from '../../query/query.js';
import { createReadContext } from '../../query/read-context.js';
import type { GraphqlContext } from '../graphql-parts.js';
import { populateKeyOf } from '../holder-fields.js';
import { holderOf } from '../schema/type-book.js';
import { planPopulate } from '../selection/plan-selection.js';
import { parseRecord } from './root-field.js';

/** Documents of one statement. */
const BATCH_SIZE = 500;

/** One populated field of a record that no plan has read. */
export interface LatePopulate {
  readonly record: object;
  readonly attribute: string;
  readonly form: 'one' | 'list' | 'connection';
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
}

interface Version {
  readonly type: ContentType;
  readonly status: VersionStatus;
  readonly locale: string;
}

interface Batch {
  readonly ids: Set<string>;
  readonly done: Promise<ReadonlyMap<string, unknown>>;
}

/** Notes that a plan has read these records, whatever project code does with them. */
export function notePlanned(value: unknown, { project }: Pick<GraphqlContext, 'project'>): void {
  if (Array.isArray(value)) for (const item of value) notePlanned(item, { project });
  else if (typeof value === 'object' && value !== null && !project.planned.has(value)) {
    project.planned.add(value);
    notePlanned(Reflect.get(value, 'nodes'), { project });
  }
}

/** Notes that project code answered these records: what they refer to is read when it is asked for, with the rights of who asks. */
export function adopt(value: unknown, { project }: Pick<GraphqlContext, 'project'>): void {
  if (Array.isArray(value)) for (const item of value) adopt(item, { project });
  else if (typeof value === 'object' && value !== null && !project.foreign.has(value) && !project.planned.has(value)) {
    project.foreign.add(value);
    adopt(Reflect.get(value, 'nodes'), { project });
  }
}

const versionOf = (type: ContentType, record: object, { parts }: GraphqlContext): Version => {
  const [publishedAt, locale]: unknown[] = [Reflect.get(record, 'publishedAt'), Reflect.get(record, 'locale')];
  return {
    type,
    status: type.draftAndPublish && publishedAt === null ? 'draft' : 'published',
    locale: typeof locale === 'string' && locale !== '' ? locale : parts.access.locales.defaultCode(),
  };
};

/** Throws `request/forbidden` where the caller may not find what the field shows, and what a query's own plan throws where its right does not cover the field. */
const planOf = ({ attribute, form, context, info }: LatePopulate, type: ContentType): PopulateNode => {
  const field = info.parentType.getFields()[info.fieldName];
  if (field === undefined) throw fail('server/internal', {}, { cause: new TypeError(`${info.parentType.name} has no ${info.fieldName}.`) });
  const read = createReadContext(context.parts.model, { access: context.rights, limits: context.limits });
  const request = { key: String(info.path.key), name: info.fieldName, nodes: info.fieldNodes };
  const call = context.project.calls.get(info.path);
  const node = planPopulate({ document: info, read, context }, { holder: coveredType(read, type.uid), path: '', depth: 0 }, { request, source: { kind: 'populate', attribute, form }, field, args: call?.args });
  if (node === null) throw fail('request/forbidden');
  return node;
};

const readAll = async ({ parts }: GraphqlContext, { type, status, locale }: Version, node: PopulateNode, ids: readonly string[]): Promise<ReadonlyMap<string, unknown>> => {
  const found = new Map<string, unknown>();
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const filter = { kind: 'compare', field: 'documentId', operator: '$in', operand: ids.slice(start, start + BATCH_SIZE) } as const;
    const query: ReadQuery = { type: type.uid, filter, sort: [], selection: { fields: [], populate: [node] }, page: null, locale, status, hasPublishedVersion: null };
    deepFreeze<object>(query);
    for (const record of (await parts.documents.findMany(query)).records.map(parseRecord)) {
      if (isRecord(record)) found.set(String(record['documentId']), record[node.key]);
    }
  }
  return found;
};

/** Gathers what is asked for in one turn, then reads it in one statement. */
const startBatch = (late: LatePopulate, version: Version, close: () => void): Batch => {
  const node = planOf(late, version.type);
  const ids = new Set<string>();
  const turn = new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
  const done = turn.then(() => {
    close();
    return readAll(late.context, version, node, [...ids]);
  });
  return { ids, done };
};

const batchOf = (late: LatePopulate, version: Version): Batch => {
  const { info, context: { project: { batches, calls } } } = late;
  const key = JSON.stringify([info.fieldNodes[0]?.loc?.start, info.parentType.name, info.path.key, version.type.uid, version.status, version.locale, calls.get(info.path)?.args]);
  const open = batches.get(key) as Batch | undefined;
  if (open !== undefined) return open;
  const batch = startBatch(late, version, () => batches.delete(key));
  batches.set(key, batch);
  return batch;
};

/** A record without an identity holds all there is of it. */
const ownValue = ({ record, attribute, form, context, info }: LatePopulate): unknown => {
  if (!context.project.foreign.has(record)) throw fail('request/forbidden');
  const value: unknown = Reflect.get(record, populateKeyOf(attribute, String(info.path.key))) ?? Reflect.get(record, attribute);
  adopt(value, context);
  return value ?? (form === 'one' ? null : []);
};

/** Reads a populated field of a record that project code answered; of many such records of one operation in one statement. */
export async function loadPopulated(late: LatePopulate): Promise<unknown> {
  const holder = holderOf(late.info.parentType);
  const documentId: unknown = Reflect.get(late.record, 'documentId');
  if (holder === undefined || !isContentType(holder) || typeof documentId !== 'string' || !isStorableText(documentId)) return ownValue(late);
  const batch = batchOf(late, versionOf(holder, late.record, late.context));
  batch.ids.add(documentId);
  return (await batch.done).get(documentId) ?? (late.form === 'one' ? null : []);
}
