import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import { createError } from '../../../errors/catalogue.js';
import { defined } from '../../../lib/assert.js';
import { deepFreeze, isRecord } from '../../../lib/records.js';
import { getOrCreate } from '../../../lib/collections.js';
import { isStorableText } from '../../../model/fields/text-value.js';
import type { ContentType, VersionStatus } from '../../../model/model.js';
import { typeInScope } from '../../../query/access-scope.js';
import { accessAtStatus, draftLimits } from '../../../query/read-access.js';
import { withRecordLimit } from '../../../query/parse/parse-read-query.js';
import type { PopulateNode, ReadQuery } from '../../../query/query.js';
import { createReadContext } from '../../../query/read-context.js';
import { isContentType } from '../../../query/schema-fields.js';
import { populateKeyOf } from '../field-names.js';
import { argumentErrorOf } from '../graphql-context.js';
import type { GraphqlContext, PopulateBatch } from '../graphql-context.js';
import { contentSchemaOf } from '../schema/type-registry.js';
import { planPopulate } from '../selection/plan-selection.js';
import { parseRecord } from './root-field.js';

/** Maximum of documents per statement. */
const BATCH_SIZE = 500;

/** A populated field of a record that no plan has read. */
interface DeferredPopulate {
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

/** Marks records that a plan has read, so that `markProjectRecords` skips them. */
export function markReadRecords(value: unknown, { project }: Pick<GraphqlContext, 'project'>): void {
  if (Array.isArray(value)) for (const item of value) markReadRecords(item, { project });
  else if (typeof value === 'object' && value !== null && !project.readRecords.has(value)) {
    project.readRecords.add(value);
    markReadRecords(Reflect.get(value, 'nodes'), { project });
  }
}

/** Marks records returned by resolvers of the project. Their relations are loaded when they are resolved. */
export function markProjectRecords(value: unknown, { project }: Pick<GraphqlContext, 'project'>): void {
  if (Array.isArray(value)) for (const item of value) markProjectRecords(item, { project });
  else if (
    typeof value === 'object' &&
    value !== null &&
    !project.returnedRecords.has(value) &&
    !project.readRecords.has(value)
  ) {
    project.returnedRecords.add(value);
    markProjectRecords(Reflect.get(value, 'nodes'), { project });
  }
}

const versionOf = (type: ContentType, record: object, { dependencies }: GraphqlContext): Version => {
  const [publishedAt, locale]: unknown[] = [
    Reflect.get(record, 'publishedAt'),
    Reflect.get(record, 'locale'),
  ];
  return {
    type,
    status: type.draftAndPublish && publishedAt === null ? 'draft' : 'published',
    locale: typeof locale === 'string' && locale !== '' ? locale : dependencies.access.locales.defaultCode(),
  };
};

/**
 * Plans the read of the field, with the same checks as the plan of a query.
 *
 * @throws `request/forbidden` if the caller may not find the field's target
 */
const planDeferredPopulate = (
  { attribute, form, context, info }: DeferredPopulate,
  { type, status }: Pick<Version, 'type' | 'status'>,
): PopulateNode => {
  const { name: typeName } = info.parentType;
  const field = defined(info.parentType.getFields()[info.fieldName], `${typeName}.${info.fieldName}`);
  const readContext = createReadContext(context.dependencies.model, {
    access: accessAtStatus(context.rights, status),
    limits: context.limits,
  });
  const request = { key: String(info.path.key), name: info.fieldName, nodes: info.fieldNodes };
  const call = context.project.calls.get(info.path);
  const node = planPopulate(
    { document: info, read: readContext, context, argumentErrors: context.argumentErrors },
    { schema: typeInScope(readContext, type.uid), path: '', depth: 0 },
    { request, source: { kind: 'populate', attribute, form }, field, args: call?.args },
  );
  if (node === null)
    throw argumentErrorOf(context.argumentErrors, info.fieldNodes[0]) ?? createError('request/forbidden');
  return node;
};

const readBatch = async (
  { dependencies, limits, signal, rights }: GraphqlContext,
  { type, status, locale }: Version,
  node: PopulateNode,
  ids: readonly string[],
): Promise<ReadonlyMap<string, unknown>> => {
  const valuesById = new Map<string, unknown>();
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const filter = {
      kind: 'compare',
      field: 'documentId',
      operator: '$in',
      operand: ids.slice(start, start + BATCH_SIZE),
    } as const;
    const query: ReadQuery = {
      type: type.uid,
      filter,
      sort: [],
      selection: withRecordLimit(limits, { fields: [], populate: [node] }),
      page: null,
      locale,
      status,
      hasPublishedVersion: null,
      ...draftLimits(accessAtStatus(rights, status)),
    };
    deepFreeze<object>(query);
    const { records } = await dependencies.documents.findMany(query, signal());
    for (const record of records.map(parseRecord)) {
      if (isRecord(record)) valuesById.set(String(record['documentId']), record[node.key]);
    }
  }
  return valuesById;
};

/** Starts a batch that collects ids for one turn of the event loop, then reads them in one statement. */
const startBatch = (deferred: DeferredPopulate, version: Version, close: () => void): PopulateBatch => {
  const node = planDeferredPopulate(deferred, version);
  const ids = new Set<string>();
  const nextTick = new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
  const recordsById = nextTick.then(() => {
    close();
    return readBatch(deferred.context, version, node, [...ids]);
  });
  return { ids, recordsById };
};

/** Returns the open batch for the same field, arguments and version. Starts one if there is none. */
const getOrStartBatch = (deferred: DeferredPopulate, version: Version): PopulateBatch => {
  const {
    info,
    context: {
      project: { batches, calls },
    },
  } = deferred;
  const key = JSON.stringify([
    info.fieldNodes[0]?.loc?.start,
    info.parentType.name,
    info.path.key,
    version.type.uid,
    version.status,
    version.locale,
    calls.get(info.path)?.args,
  ]);
  return getOrCreate(batches, key, () => startBatch(deferred, version, () => batches.delete(key)));
};

/**
 * Returns the value that a record without a document id contains. It is not read from the database, so the
 * field's arguments do not apply.
 *
 * @throws `request/forbidden` for records that a plan has read without the field
 */
const embeddedValue = ({ record, attribute, form, context, info }: DeferredPopulate): unknown => {
  if (!context.project.returnedRecords.has(record)) throw createError('request/forbidden');
  const value: unknown =
    Reflect.get(record, populateKeyOf(attribute, String(info.path.key))) ?? Reflect.get(record, attribute);
  markProjectRecords(value, context);
  return value ?? (form === 'one' ? null : []);
};

/**
 * Loads a populated field of a record that a resolver of the project returned. The fields of several such
 * records are loaded by one statement.
 */
async function loadPopulated(deferred: DeferredPopulate): Promise<unknown> {
  const contentSchema = contentSchemaOf(deferred.info.parentType);
  const documentId: unknown = Reflect.get(deferred.record, 'documentId');
  if (
    contentSchema === undefined ||
    !isContentType(contentSchema) ||
    typeof documentId !== 'string' ||
    !isStorableText(documentId)
  )
    return embeddedValue(deferred);
  const batch = getOrStartBatch(deferred, versionOf(contentSchema, deferred.record, deferred.context));
  batch.ids.add(documentId);
  return (await batch.recordsById).get(documentId) ?? (deferred.form === 'one' ? null : []);
}

type PopulateForm = 'one' | 'list' | 'connection';

const toFieldValue = (value: unknown, form: PopulateForm, { assertListSize }: GraphqlContext): unknown => {
  if (form === 'one') return value;
  // A media attribute without files is null.
  const list = value ?? [];
  if (Array.isArray(list)) assertListSize(list.length);
  return form === 'list' ? list : { nodes: list };
};

/**
 * Returns a resolver of the value that the root field's statement has read. If a resolver of the project
 * returned the record, or a middleware changed the arguments, the value is loaded now.
 *
 * @throws `request/forbidden` if the caller may not find the relation's target, or the error in the field's
 *   arguments
 */
export function resolvePopulated(
  attribute: string,
  form: PopulateForm,
): GraphQLFieldResolver<unknown, GraphqlContext> {
  return (record, _args, context, info) => {
    const value: unknown = Reflect.get(record as object, populateKeyOf(attribute, String(info.path.key)));
    const call = context.project.calls.get(info.path);
    const isPlanned =
      call?.hasOverriddenArgs !== true && !context.project.returnedRecords.has(record as object);
    if (isPlanned && value === undefined)
      throw argumentErrorOf(context.argumentErrors, info.fieldNodes[0]) ?? createError('request/forbidden');
    if (isPlanned) return toFieldValue(value, form, context);
    return loadPopulated({ record: record as object, attribute, form, context, info }).then((loaded) =>
      toFieldValue(loaded, form, context),
    );
  };
}
