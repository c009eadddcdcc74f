import { NO_DECISIONS } from '../../../src/migrations/content/content-decisions.js';
import type { ContentDecisions } from '../../../src/migrations/content/content-decisions.js';
import type { DataImpact } from '../../../src/migrations/impact/data-impact.js';
import type { MigrateResult } from '../../../src/migrations/migrate.js';
import type { Plan } from '../../../src/migrations/plan/plan-migration.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import type { Attributes, ProjectLiteral, TypeLiteral } from '../../support/models.js';
import type { Api } from '../documents/service.js';
import { createContentFixture } from './content-fixture.js';
import type { ContentFixture } from './content-fixture.js';

type Call = Omit<NonNullable<Parameters<ContentFixture['migrate']>[1]>, 'decisions'> & {
  readonly decisions?: Partial<ContentDecisions>;
};

/** A migrations folder and a database with articles, whose attributes change. */
export interface ScalarFixture extends Pick<ContentFixture, 'apply' | 'rows'> {
  readonly migrate: (project: ProjectLiteral, call?: Call) => Promise<MigrateResult>;
  readonly preview: (project: ProjectLiteral, call?: Call) => Promise<Plan>;
  readonly withApi: <T>(project: ProjectLiteral, work: (api: Api) => Promise<T>) => Promise<T>;
  readonly createAll: (
    project: ProjectLiteral,
    documents: readonly Readonly<Record<string, unknown>>[],
    params?: { readonly status?: string },
  ) => Promise<void>;
  /** The values of an attribute of all articles, in the order in which these were created. */
  readonly valuesOf: (project: ProjectLiteral, attribute: string) => Promise<readonly unknown[]>;
  /** What a preview tells, one line for each change. */
  readonly told: (project: ProjectLiteral, call?: Call) => Promise<readonly string[]>;
  readonly withEmptyDatabase: () => Promise<ScalarFixture>;
}

/** `converted price: 3 (is now of type integer) ["1","2"]` */
export const printChange = ({ kind, path, values, samples, reason }: DataImpact): string =>
  `${kind} ${path ?? ''}: ${values} (${reason}) [${samples.join(',')}]`;

const withDecisions = ({ decisions, ...call }: Call = {}) => ({
  ...call,
  decisions: { ...NO_DECISIONS, ...decisions },
});

const scalarFixtureOf = (fixture: ContentFixture): ScalarFixture => {
  const preview: ScalarFixture['preview'] = (project, call) => fixture.preview(project, withDecisions(call));
  const withApi: ScalarFixture['withApi'] = async (project, work) => work(await fixture.open(project));
  return {
    apply: fixture.apply,
    rows: fixture.rows,
    migrate: (project, call) => fixture.migrate(project, withDecisions(call)),
    preview,
    withApi,
    createAll: (project, documents, params) =>
      withApi(project, async (api) => {
        for (const data of documents) await api.create('article', data, params);
      }),
    valuesOf: (project, attribute) =>
      withApi(project, async (api) =>
        (await api.list('article', { sort: 'id' })).map((record) => record[attribute]),
      ),
    told: async (project, call) => (await preview(project, call)).impact.map(printChange),
    withEmptyDatabase: async () => scalarFixtureOf(await fixture.withEmptyDatabase()),
  };
};

export const createScalarFixture = async (kind: TestDatabaseKind): Promise<ScalarFixture> =>
  scalarFixtureOf(await createContentFixture(kind));

/** A project with the one type `article`. */
export const articles = (attributes: Attributes, type: Partial<TypeLiteral> = {}): ProjectLiteral => ({
  types: { article: { ...type, attributes } },
});
