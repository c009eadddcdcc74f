import { applied, differently, harmless, refused } from '../../config/strapi/options/option.js';
import type { StrapiOption, StrapiOptions } from '../../config/strapi/options/option.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { undefinedCondition } from '../../query/read-context.js';

/** The parameters of the methods of one call, by method. */
export type MethodParams = Readonly<Record<string, StrapiOptions>>;

const SELECTION: StrapiOptions = { fields: applied(), populate: applied() };
const LOCALE = applied('Ignored for types without i18n.');
const STATUS = applied('`draft` by default. Values other than `draft` and `published` are rejected.');

const CONDITIONS: StrapiOptions = {
  filters: applied(),
  where: differently('Another name of `filters`. Both apply.'),
  _q: applied(),
  status: STATUS,
  locale: LOCALE,
  publicationFilter: applied(),
  release: applied(),
  hasPublishedVersion: applied(),
};

const SLICE: StrapiOptions = {
  sort: applied(),
  start: applied(),
  limit: applied(),
  page: applied(),
  pageSize: applied(),
  pagination: applied('Its `withCount` is not needed.'),
};

const OTHER_NAMES: StrapiOptions = {
  select: differently('Another name of `fields`.'),
  orderBy: differently('Another name of `sort`.'),
  offset: differently('Another name of `start`.'),
};

const LIST: StrapiOptions = { ...CONDITIONS, ...SELECTION, ...SLICE, ...OTHER_NAMES };
const UNSORTED = harmless('It does not change the count.');
const COUNT: StrapiOptions = {
  ...CONDITIONS,
  ...Object.fromEntries(
    Object.keys({ ...SELECTION, ...SLICE, ...OTHER_NAMES }).map((name): [string, StrapiOption] => [
      name,
      UNSORTED,
    ]),
  ),
};

const DOCUMENT_ID = applied();
const IN_DATA = refused('Write it into `data`.');
const ONE = refused('The operation concerns all versions of the document in a locale.');
const WRITE: StrapiOptions = {
  data: applied('With `documentId`, `locale` and times, see below.'),
  status: STATUS,
  locale: LOCALE,
  ...SELECTION,
  publishedAt: IN_DATA,
};
const ACTION: StrapiOptions = {
  documentId: DOCUMENT_ID,
  locale: applied('Also a list, and `*` for all.'),
  ...SELECTION,
  filters: ONE,
  where: ONE,
  data: refused('Update the draft first.'),
  status: refused('`unpublish` removes the published version, `discardDraft` the changes of a draft.'),
};

/** `strapi.documents(uid)` */
export const DOCUMENT_PARAMS = {
  findMany: LIST,
  findFirst: LIST,
  findOne: { documentId: DOCUMENT_ID, ...LIST },
  count: COUNT,
  create: { documentId: IN_DATA, ...WRITE },
  update: { documentId: DOCUMENT_ID, ...WRITE },
  delete: ACTION,
  clone: { ...ACTION, data: applied('Replaces values of the copy.') },
  publish: ACTION,
  unpublish: ACTION,
  discardDraft: ACTION,
} satisfies MethodParams;

const STATE = differently('`live` is `status: published`; `preview`, the default, is `draft`.');
const OLD_LIST: StrapiOptions = { ...LIST, publicationState: STATE };
const LOAD: StrapiOptions = {
  filters: applied(),
  where: CONDITIONS['where'] ?? applied(),
  ...SELECTION,
  sort: applied(),
  start: applied(),
  limit: applied(),
  ...OTHER_NAMES,
};
const FILES = refused('Upload them with the service of the plugin upload, and link their ids.');

/** `strapi.entityService`, after the uid and the id. */
export const ENTITY_PARAMS = {
  findMany: OLD_LIST,
  findPage: OLD_LIST,
  findOne: OLD_LIST,
  count: { ...COUNT, publicationState: STATE },
  create: { ...WRITE, files: FILES },
  update: { ...WRITE, files: FILES },
  delete: { locale: LOCALE, ...SELECTION, filters: ONE, where: ONE },
  load: LOAD,
  loadPages: { ...LOAD, page: applied('Also in the last parameter.'), pageSize: applied() },
} satisfies MethodParams;

const ROW_CONDITIONS: StrapiOptions = {
  where: applied(),
  filters: differently('Another name of `where`. Both apply.'),
  _q: applied(),
};
const ROW_SELECTION: StrapiOptions = { select: applied(), populate: applied() };
const ROW_SLICE: StrapiOptions = {
  orderBy: applied(),
  limit: applied(),
  offset: applied(),
  page: applied(),
  pageSize: applied(),
};
const OF_DOCUMENTS: StrapiOptions = {
  fields: refused('Write `select`.'),
  sort: refused('Write `orderBy`.'),
  start: refused('Write `offset`.'),
  pagination: refused('Write `limit` and `offset`, or `page` and `pageSize`.'),
  status: refused('Write `where: { publishedAt: null }`, or `{ publishedAt: { $notNull: true } }`.'),
  locale: refused('Write `where: { locale }`.'),
};
const ROWS: StrapiOptions = { ...ROW_CONDITIONS, ...ROW_SELECTION, ...ROW_SLICE, ...OF_DOCUMENTS };
const ROW_COUNT: StrapiOptions = {
  ...ROW_CONDITIONS,
  ...OF_DOCUMENTS,
  ...Object.fromEntries(
    Object.keys({ ...ROW_SELECTION, ...ROW_SLICE }).map((name): [string, StrapiOption] => [name, UNSORTED]),
  ),
};
const ROW_DATA: StrapiOptions = {
  data: applied('With `documentId`, `locale` and times, see below.'),
  ...ROW_SELECTION,
  ...OF_DOCUMENTS,
};
const CHOSEN: StrapiOptions = { ...ROW_CONDITIONS, ...ROW_SLICE, ...OF_DOCUMENTS };

/** `strapi.db.query(uid)` and `strapi.db.entityManager` */
export const QUERY_PARAMS = {
  findOne: ROWS,
  findMany: ROWS,
  findWithCount: ROWS,
  findPage: ROWS,
  count: ROW_COUNT,
  create: ROW_DATA,
  createMany: ROW_DATA,
  update: { ...CHOSEN, ...ROW_DATA },
  updateMany: { ...CHOSEN, ...ROW_DATA },
  delete: { ...CHOSEN, ...ROW_SELECTION },
  deleteMany: { ...CHOSEN, ...ROW_SELECTION },
} satisfies MethodParams;

const WRITTEN_TIME = applied('On creation. An update sets the current time, as in Strapi.');

/** The keys that `data` accepts in addition to attributes, in all three APIs. */
export const DATA_PARAMS: StrapiOptions = {
  documentId: applied('On creation. Duplicates in a locale and changes in an update are rejected.'),
  locale: applied('On creation. An update rejects locales other than that of the version.'),
  createdAt: applied(),
  updatedAt: WRITTEN_TIME,
  publishedAt: applied('For versions that are created as published. `db.query` publishes with it.'),
  id: refused('The database assigns ids. Updates may repeat the id of the row.'),
  createdBy: harmless('There are no administrators.'),
  updatedBy: harmless('There are no administrators.'),
  '*': differently('Names that the schema lacks are passed to middlewares and listeners, and not stored.'),
};

const ENTITY_DATA = applied();

/** The objects that services of plugins accept, by service and methods. */
export const SERVICE_PARAMS = {
  'users-permissions.role createRole, updateRole': {
    name: applied(),
    description: applied(),
    type: differently('A role keeps its type.'),
    permissions: applied(),
    id: harmless('Another parameter names the role.'),
    documentId: harmless('Another parameter names the role.'),
    createdAt: harmless('Keeps the value of the role.'),
    updatedAt: harmless('Keeps the value of the role.'),
    publishedAt: harmless('Keeps the value of the role.'),
    locale: harmless('Roles have none.'),
    nb_users: harmless('It is counted.'),
    users: refused('Give users their role.'),
  },
  'upload.upload upload, replace: data': {
    fileInfo: applied(),
    ref: applied(),
    refId: applied(),
    field: applied(),
    path: refused('Files have no folders.'),
    source: harmless('Uids name their plugin.'),
  },
  'i18n.locales create': { code: ENTITY_DATA, name: ENTITY_DATA, isDefault: ENTITY_DATA },
} satisfies MethodParams;

interface CheckedCalls {
  /** `strapi.documents('api::article.article')` */
  readonly call: string;
  readonly params: MethodParams;
  /** The index of the argument that holds the parameters, by method. Default: 0. */
  readonly positions?: Readonly<Record<string, number>>;
  readonly isSeen: (params: object) => boolean;
}

/** Methods for one row, which `where` selects. */
const OF_ONE: readonly string[] = ['findOne', 'update', 'delete'];

/** Returns methods that reject unknown parameters. They return a rejected promise instead of throwing. */
export function checkedCalls<T extends object>(
  methods: T,
  { call, params: tables, positions = {}, isSeen }: CheckedCalls,
): T {
  const checked = Object.entries(methods).map(([name, method]: readonly [string, unknown]) => {
    const options = Object.hasOwn(tables, name) ? tables[name] : undefined;
    if (options === undefined || typeof method !== 'function') return [name, method] as const;
    const run = async (...values: readonly unknown[]): Promise<unknown> => {
      const params = values[positions[name] ?? 0];
      if (isRecord(params)) {
        assertParams({ call: `${call}.${name}`, options, isSeen: isSeen(params) }, params);
        if (OF_ONE.includes(name) && 'where' in params && params['where'] === undefined)
          throw undefinedCondition('where');
      }
      return (await Reflect.apply(method, methods, values)) as unknown;
    };
    return [name, run] as const;
  });
  return Object.fromEntries(checked) as T;
}

interface CheckedCall {
  /** `strapi.documents('api::article.article').findMany` */
  readonly call: string;
  readonly options: StrapiOptions;
  /** True if middlewares or listeners of the project may read parameters that nothing else reads. */
  readonly isSeen?: boolean;
}

/**
 * Throws if a call has parameters that nothing reads.
 *
 * @throws `strapi/unknown-parameter`
 */
export function assertParams({ call, options, isSeen = false }: CheckedCall, params: unknown): void {
  if (!isRecord(params)) return;
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    const remedy = option?.treatment === 'refused' ? option.remark : undefined;
    if (option === undefined ? isSeen : remedy === undefined) continue;
    const known = Object.keys(options).filter((each) => options[each]?.treatment !== 'refused');
    throw createError('strapi/unknown-parameter', {
      call,
      name: name.slice(0, 60),
      remedy: remedy ?? `Available: ${known.join(', ')}.`,
    });
  }
}
