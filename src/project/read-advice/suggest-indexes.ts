/** The folder read-advice counts slow reads and suggests indexes for them. This file measures the indexes. */
import type { IndexRemedy, IndexSuggestion, ReadAdvice } from '../../api/administration/operation.js';
import type { IndexExperiment } from '../../database/dialect/database-driver.js';
import { quoteName } from '../../database/dialect/sql-text.js';
import type { ReadUsage } from '../../documents/read/record-reader.js';
import { textForm } from '../../lib/stored-value.js';
import type { StoredScalar } from '../../lib/stored-value.js';
import { linkAttributeOf, typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { IDS_ONLY } from '../../query/query.js';
import type { CompareNode, FilterNode, ReadQuery } from '../../query/query.js';
import { describeShape } from '../../query/describe-read.js';
import type { ReadShape } from '../../query/describe-read.js';
import type { Project } from '../open/open-project.js';
import { readUsages } from './record-usages.js';
import { compilePlain, findScan, findSearchRemedies, modelWith, remediesOf } from './scan-remedies.js';

/** The typical page of a request. */
const PAGE = { offset: 0, limit: 25, style: 'page', withCount: false } as const;

const LISTS: ReadonlySet<string> = new Set(['$in', '$notIn', '$between']);
const PARTS: ReadonlySet<string> = new Set([
  '$contains',
  '$notContains',
  '$containsi',
  '$notContainsi',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
]);
const PART_LENGTH = 5;

const columnOf = (type: ContentType, field: string): string | null => {
  if (field === 'id') return 'id';
  if (field === 'documentId') return 'document_id';
  const attribute = Object.hasOwn(type.attributes, field) ? type.attributes[field] : undefined;
  return attribute?.family === 'scalar' ? attribute.column.name : null;
};

/** Returns a value from the middle of the table, as a sample. */
const sampleValue = async (
  experiment: IndexExperiment,
  { storage }: ContentType,
  column: string | null,
): Promise<StoredScalar> => {
  if (column === null) return '';
  const [table, name] = [storage.version.table, column].map(quoteName);
  const [value = null] = await experiment.values(
    `select ${name} from ${table} where ${name} is not null
       limit 1 offset (select count(${name}) / 2 from ${table})`,
    [],
  );
  return value as StoredScalar;
};

const sampleOperand = async (
  experiment: IndexExperiment,
  type: ContentType,
  { field, operator, operand }: CompareNode,
): Promise<CompareNode['operand']> => {
  if (operator === '$null' || operator === '$notNull') return operand;
  const value = (await sampleValue(experiment, type, columnOf(type, field))) ?? '';
  if (operator === '$between') return [value, value];
  if (LISTS.has(operator)) return [value];
  return PARTS.has(operator) ? textForm(value).slice(0, PART_LENGTH) : value;
};

interface SampleContext {
  readonly experiment: IndexExperiment;
  readonly model: ContentModel;
}

/** Fills in a filter with values of the database. Values inside of components stay empty. */
const sampleFilter = async (
  context: SampleContext,
  type: ContentType,
  node: FilterNode,
): Promise<FilterNode> => {
  const { experiment, model } = context;
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, items: await sampleAll(context, type, node.items) };
    case 'not':
      return { ...node, item: await sampleFilter(context, type, node.item) };
    case 'compare':
      return { ...node, operand: await sampleOperand(experiment, type, node) };
    case 'link': {
      const { target } = linkAttributeOf(type, node.attribute);
      if (target === null) return node;
      return { ...node, filter: await sampleFilter(context, typeOf(model, target), node.filter) };
    }
    default:
      return node;
  }
};

const sampleAll = async (
  context: SampleContext,
  type: ContentType,
  nodes: readonly FilterNode[],
): Promise<readonly FilterNode[]> => {
  const sampled: FilterNode[] = [];
  for (const node of nodes) sampled.push(await sampleFilter(context, type, node));
  return sampled;
};

/** Returns a read of a shape with values of the database. */
async function sampleQuery(context: SampleContext, shape: ReadShape): Promise<ReadQuery> {
  const type = typeOf(context.model, shape.type);
  const table = quoteName(type.storage.version.table);
  const [locale = ''] = await context.experiment.values(`select "locale" from ${table} limit 1`, []);
  return {
    type: shape.type,
    filter: shape.filter === null ? null : await sampleFilter(context, type, shape.filter),
    sort: shape.sort,
    selection: IDS_ONLY,
    page: shape.isPaged ? PAGE : null,
    locale: shape.isAllLocales ? '*' : String(locale),
    status: shape.status,
    hasPublishedVersion: null,
  };
}

/**
 * The maximum number of measured shapes, since measuring is slow. Those with the longest total time come
 * first.
 */
const MAX_MEASURED = 20;
const RUNS = 5;
/** The maximum share of the former time. Indexes that save less do not justify slower writes. */
const MAX_SHARE = 0.7;

interface Measured {
  readonly query: ReadQuery;
  readonly isCount: boolean;
}

/** Returns milliseconds. */
type Clock = () => number;

const NO_ADVICE: Pick<ReadAdvice, 'suggestion' | 'search'> = Object.freeze({ suggestion: null, search: [] });

/** Measures indexes on copies of the tables. Copies each table once. */
class IndexTrial {
  readonly #project: Project;
  readonly #experiment: IndexExperiment;
  readonly #clock: Clock;
  readonly #copied = new Set<string>();

  constructor(project: Project, experiment: IndexExperiment, clock: Clock) {
    this.#project = project;
    this.#experiment = experiment;
    this.#clock = clock;
  }

  /** Returns the milliseconds of the fastest of several runs, since other load only slows runs down. */
  async #measure(model: ContentModel, { query, isCount }: Measured): Promise<number> {
    const { sql, parameters } = compilePlain(this.#experiment, model, query, isCount);
    await this.#experiment.values(sql, parameters);
    let fastest = Infinity;
    for (let run = 0; run < RUNS; run += 1) {
      const startedAt = this.#clock();
      await this.#experiment.values(sql, parameters);
      fastest = Math.min(fastest, this.#clock() - startedAt);
    }
    return fastest;
  }

  async #copyTables(uids: readonly string[]): Promise<void> {
    for (const uid of uids) {
      const { table } = typeOf(this.#project.model, uid).storage.version;
      if (this.#copied.has(table)) continue;
      await this.#experiment.copyTable(table);
      this.#copied.add(table);
    }
  }

  async #createIndex(model: ContentModel, { type: uid, attribute: name }: IndexRemedy): Promise<void> {
    const { storage, attributes } = typeOf(model, uid);
    const attribute = attributes[name];
    if (attribute?.family !== 'scalar') return;
    const column = {
      name: attribute.column.name,
      isText: attribute.column.kind === 'text',
      isDescending: false,
    };
    await this.#experiment.createIndex({ table: storage.version.table, columns: [column] });
  }

  /** Returns the best of several indexes. Null if none speeds up the read notably. */
  async best(remedies: readonly IndexRemedy[], read: Measured): Promise<IndexSuggestion | null> {
    await this.#copyTables([read.query.type, ...remedies.map(({ type }) => type)]);
    const { model } = this.#project;
    let best: IndexSuggestion | null = null;
    for (const remedy of remedies) {
      const changed = modelWith(this.#project, remedy.type, {
        names: [remedy.attribute],
        option: 'index',
      });
      if (changed === null) continue;
      await this.#experiment.dropIndex();
      const before = await this.#measure(model, read);
      await this.#createIndex(changed, remedy);
      const after = await this.#measure(changed, read);
      if (after < before * MAX_SHARE && after < (best?.after ?? Number.POSITIVE_INFINITY))
        best = { ...remedy, before, after };
    }
    await this.#experiment.dropIndex();
    return best;
  }
}

const adviceOn = async (
  project: Project,
  experiment: IndexExperiment,
  indexTrial: IndexTrial,
  { shape }: ReadUsage,
): Promise<Pick<ReadAdvice, 'suggestion' | 'search'>> => {
  const read = {
    query: await sampleQuery({ experiment, model: project.model }, shape),
    isCount: shape.isCount,
  };
  const remedies = await findScan(experiment, project.model, read.query, read.isCount);
  const suggestion = remedies.length === 0 ? null : await indexTrial.best(remedies, read);
  return {
    suggestion,
    search: suggestion === null ? await findSearchRemedies(project, experiment, read.query) : [],
  };
};

/** True if the content-types still have all names in a stored shape. */
const isKnown = ({ model }: Project, { shape }: ReadUsage): boolean => {
  if (!Object.hasOwn(model.typesByUid, shape.type)) return false;
  try {
    remediesOf(model, shape);
    return true;
  } catch {
    return false;
  }
};

/** Runs `work` with the counts of the servers, the shapes with the longest total time first. */
const withUsages = async <T>(
  project: Project,
  work: (experiment: IndexExperiment, usages: readonly ReadUsage[]) => Promise<T>,
): Promise<T> => {
  const experiment = await project.dialect.driver.openExperiment(project.config.database.url);
  try {
    const usages = await readUsages(experiment);
    return await work(
      experiment,
      usages.filter((usage) => isKnown(project, usage)),
    );
  } finally {
    await experiment.close();
  }
};

/**
 * Returns the reads of the servers, with the indexes that would speed them up. Measures the indexes on copies
 * of the tables, on a separate connection.
 */
export async function suggestIndexes(
  project: Project,
  clock: Clock = () => performance.now(),
): Promise<readonly ReadAdvice[]> {
  return withUsages(project, async (experiment, usages) => {
    const indexTrial = new IndexTrial(project, experiment, clock);
    const advice: ReadAdvice[] = [];
    for (const [index, usage] of usages.entries()) {
      const { shape, calls, ms, maxMs } = usage;
      const found = index < MAX_MEASURED ? await adviceOn(project, experiment, indexTrial, usage) : NO_ADVICE;
      advice.push({ read: describeShape(shape), calls, ms, maxMs, ...found });
    }
    return advice;
  });
}

/** A read that scans many rows, and the indexes that would avoid this. */
export interface ScanningRead {
  readonly read: string;
  readonly calls: number;
  /** Several indexes only help in combination. */
  readonly remedies: readonly IndexRemedy[];
}

/** Returns the reads of the servers that scan many rows, according to the query plans of the database. */
export async function findScanningReads(project: Project): Promise<readonly ScanningRead[]> {
  return withUsages(project, async (experiment, usages) => {
    const found: ScanningRead[] = [];
    for (const { shape, calls } of usages.slice(0, MAX_MEASURED)) {
      const query = await sampleQuery({ experiment, model: project.model }, shape);
      const [remedy] = await findScan(experiment, project.model, query, shape.isCount);
      const remedies = remedy === undefined ? await findSearchRemedies(project, experiment, query) : [remedy];
      if (remedies.length > 0) found.push({ read: describeShape(shape), calls, remedies });
    }
    return found;
  });
}
