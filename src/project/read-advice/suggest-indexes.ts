import { quoteName } from '../../database/dialect/sql-text.js';
import type { Trial } from '../../database/dialect/database-driver.js';
import type { ReadUsage } from '../../documents/read/read-usages.js';
import type { StoredScalar } from '../../lib/stored-value.js';
import { textForm } from '../../lib/stored-value.js';
import { linkAttributeOf, typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import type { CompareNode, FilterNode, ReadQuery } from '../../query/query.js';
import { describeShape } from '../../query/read-shape.js';
import type { ReadShape } from '../../query/read-shape.js';
import type { Project } from '../open/open-project.js';
import { readUsages } from './record-usages.js';
import { compilePlain, findScan, findSearchRemedies, modelWith, remediesOf } from './scan-remedies.js';
import type { Remedy } from './scan-remedies.js';

/** A page as most requests ask for it. */
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

/** Returns a value from the middle of the table, as a typical one. */
const sampleValue = async (
  trial: Trial,
  { storage }: ContentType,
  column: string | null,
): Promise<StoredScalar> => {
  if (column === null) return '';
  const [table, name] = [storage.version.table, column].map(quoteName);
  const [value = null] = await trial.values(
    `select ${name} from ${table} where ${name} is not null
       limit 1 offset (select count(${name}) / 2 from ${table})`,
    [],
  );
  return value as StoredScalar;
};

const sampleOperand = async (
  trial: Trial,
  type: ContentType,
  { field, operator, operand }: CompareNode,
): Promise<CompareNode['operand']> => {
  if (operator === '$null' || operator === '$notNull') return operand;
  const value = (await sampleValue(trial, type, columnOf(type, field))) ?? '';
  if (operator === '$between') return [value, value];
  if (LISTS.has(operator)) return [value];
  return PARTS.has(operator) ? textForm(value).slice(0, PART_LENGTH) : value;
};

interface SampleContext {
  readonly trial: Trial;
  readonly model: ContentModel;
}

/** Fills in values that the database holds. Those inside of components are empty. */
const sampleFilter = async (
  context: SampleContext,
  type: ContentType,
  node: FilterNode,
): Promise<FilterNode> => {
  const { trial, model } = context;
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, items: await sampleAll(context, type, node.items) };
    case 'not':
      return { ...node, item: await sampleFilter(context, type, node.item) };
    case 'compare':
      return { ...node, operand: await sampleOperand(trial, type, node) };
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

/** Returns a read of a shape with values that the database holds. */
async function sampleQuery(context: SampleContext, shape: ReadShape): Promise<ReadQuery> {
  const type = typeOf(context.model, shape.type);
  const table = quoteName(type.storage.version.table);
  const [locale = ''] = await context.trial.values(`select "locale" from ${table} limit 1`, []);
  return {
    type: shape.type,
    filter: shape.filter === null ? null : await sampleFilter(context, type, shape.filter),
    sort: shape.sort,
    selection: { fields: [], populate: [] },
    page: shape.isPaged ? PAGE : null,
    locale: shape.isAllLocales ? '*' : String(locale),
    status: shape.status,
    hasPublishedVersion: null,
  };
}

/** An index that makes reads of a shape faster, as measured on the database at hand. */
export interface IndexSuggestion extends Remedy {
  /** Milliseconds. */
  readonly before: number;
  readonly after: number;
}

/** The reads of one shape, and the index that would serve them best. */
export interface ReadAdvice {
  /** `api::article.article filters[title][$eq] sort=views:desc` */
  readonly read: string;
  readonly calls: number;
  /** Milliseconds. */
  readonly ms: number;
  readonly maxMs: number;
  readonly suggestion: IndexSuggestion | null;
  /** The full-text indexes that would find its rows, which are not measured. Empty: none. */
  readonly search: readonly Remedy[];
}

/** Measuring takes time: only these many shapes are tried, those that took the most time. */
const MAX_MEASURED = 20;
const RUNS = 5;
/** An index that saves less is not worth what it costs writes. */
const MAX_SHARE = 0.7;

interface Measured {
  readonly query: ReadQuery;
  readonly isCount: boolean;
}

/** Returns milliseconds. */
type Clock = () => number;

const NO_ADVICE: Pick<ReadAdvice, 'suggestion' | 'search'> = Object.freeze({ suggestion: null, search: [] });

/** Tries out indexes on copies of the tables, each of which is copied once. */
class Tryout {
  readonly #project: Project;
  readonly #trial: Trial;
  readonly #clock: Clock;
  readonly #copied = new Set<string>();

  constructor(project: Project, trial: Trial, clock: Clock) {
    this.#project = project;
    this.#trial = trial;
    this.#clock = clock;
  }

  /** The milliseconds of the fastest of several runs: what else the machine does only slows others down. */
  async #measure(model: ContentModel, { query, isCount }: Measured): Promise<number> {
    const { sql, parameters } = compilePlain(this.#trial, model, query, isCount);
    await this.#trial.values(sql, parameters);
    let fastest = Infinity;
    for (let run = 0; run < RUNS; run += 1) {
      const startedAt = this.#clock();
      await this.#trial.values(sql, parameters);
      fastest = Math.min(fastest, this.#clock() - startedAt);
    }
    return fastest;
  }

  async #copyTables(uids: readonly string[]): Promise<void> {
    for (const uid of uids) {
      const { table } = typeOf(this.#project.model, uid).storage.version;
      if (this.#copied.has(table)) continue;
      await this.#trial.copyTable(table);
      this.#copied.add(table);
    }
  }

  async #createIndex(model: ContentModel, { type: uid, attribute: name }: Remedy): Promise<void> {
    const { storage, attributes } = typeOf(model, uid);
    const attribute = attributes[name];
    if (attribute?.family !== 'scalar') return;
    const column = {
      name: attribute.column.name,
      isText: attribute.column.kind === 'text',
      isDescending: false,
    };
    await this.#trial.createIndex({ table: storage.version.table, columns: [column] });
  }

  /** Returns the best of several indexes; null where none makes the read notably faster. */
  async best(remedies: readonly Remedy[], read: Measured): Promise<IndexSuggestion | null> {
    await this.#copyTables([read.query.type, ...remedies.map(({ type }) => type)]);
    const { model } = this.#project;
    let best: IndexSuggestion | null = null;
    for (const remedy of remedies) {
      const changed = modelWith(this.#project, remedy.type, {
        names: [remedy.attribute],
        option: 'index',
      });
      if (changed === null) continue;
      await this.#trial.dropIndex();
      const before = await this.#measure(model, read);
      await this.#createIndex(changed, remedy);
      const after = await this.#measure(changed, read);
      if (after < before * MAX_SHARE && after < (best?.after ?? Number.POSITIVE_INFINITY))
        best = { ...remedy, before, after };
    }
    await this.#trial.dropIndex();
    return best;
  }
}

const adviceOn = async (
  project: Project,
  trial: Trial,
  tryout: Tryout,
  { shape }: ReadUsage,
): Promise<Pick<ReadAdvice, 'suggestion' | 'search'>> => {
  const read = { query: await sampleQuery({ trial, model: project.model }, shape), isCount: shape.isCount };
  const remedies = await findScan(trial, project.model, read.query, read.isCount);
  const suggestion = remedies.length === 0 ? null : await tryout.best(remedies, read);
  return {
    suggestion,
    search: suggestion === null ? await findSearchRemedies(project, trial, read.query) : [],
  };
};

/** True if the content-types still have all that a stored shape refers to. */
const isKnown = ({ model }: Project, { shape }: ReadUsage): boolean => {
  if (!Object.hasOwn(model.typesByUid, shape.type)) return false;
  try {
    remediesOf(model, shape);
    return true;
  } catch {
    return false;
  }
};

/** Runs `work` on what the servers have counted, the shapes that took the most time first. */
const withUsages = async <T>(
  project: Project,
  work: (trial: Trial, usages: readonly ReadUsage[]) => Promise<T>,
): Promise<T> => {
  const trial = await project.dialect.driver.openTrial(project.config.database.url);
  try {
    const usages = await readUsages(trial);
    return await work(
      trial,
      usages.filter((usage) => isKnown(project, usage)),
    );
  } finally {
    await trial.close();
  }
};

/**
 * Returns what the servers have read, with the indexes that would make it faster. They are tried out on
 * copies of the tables, on a connection of their own, and timed by the clock.
 */
export async function suggestIndexes(
  project: Project,
  clock: Clock = () => performance.now(),
): Promise<readonly ReadAdvice[]> {
  return withUsages(project, async (trial, usages) => {
    const tryout = new Tryout(project, trial, clock);
    const advice: ReadAdvice[] = [];
    for (const [index, usage] of usages.entries()) {
      const { shape, calls, ms, maxMs } = usage;
      const found = index < MAX_MEASURED ? await adviceOn(project, trial, tryout, usage) : NO_ADVICE;
      advice.push({ read: describeShape(shape), calls, ms, maxMs, ...found });
    }
    return advice;
  });
}

/** A read that looks at many rows, and the indexes that would keep it from that. */
export interface ScanningRead {
  readonly read: string;
  readonly calls: number;
  /** Those of several attributes only help together. */
  readonly remedies: readonly Remedy[];
}

/** Returns the reads of the servers that look at many rows, judging by the plans of the database. */
export async function findScanningReads(project: Project): Promise<readonly ScanningRead[]> {
  return withUsages(project, async (trial, usages) => {
    const found: ScanningRead[] = [];
    for (const { shape, calls } of usages.slice(0, MAX_MEASURED)) {
      const query = await sampleQuery({ trial, model: project.model }, shape);
      const [remedy] = await findScan(trial, project.model, query, shape.isCount);
      const remedies = remedy === undefined ? await findSearchRemedies(project, trial, query) : [remedy];
      if (remedies.length > 0) found.push({ read: describeShape(shape), calls, remedies });
    }
    return found;
  });
}
