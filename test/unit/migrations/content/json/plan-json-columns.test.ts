import { describe, expect, it } from 'vitest';
import { getDialect } from '../../../../../src/database/get-dialect.js';
import { NO_DECISIONS } from '../../../../../src/migrations/content/content-decisions.js';
import type { ContentPlanPart } from '../../../../../src/migrations/content/content-transition.js';
import { matchModels } from '../../../../../src/migrations/content/content-transition.js';
import { planJsonColumns } from '../../../../../src/migrations/content/json/plan-json-columns.js';
import type { Rename } from '../../../../../src/migrations/schema/renames.js';
import { modelFrom } from '../../../../support/models.js';
import type { ProjectLiteral, TypeLiteral } from '../../../../support/models.js';

type Attributes = TypeLiteral['attributes'];

const TEXT = { type: 'string' };
const SEO = { type: 'component', component: 'a.seo' };
const ROWS = { type: 'component', component: 'a.row', repeatable: true };

const project = (attributes: Attributes, seo: Attributes, row: Attributes): ProjectLiteral => ({
  types: { article: { attributes } },
  components: { 'a.seo': { attributes: seo }, 'a.row': { attributes: row } },
});

const plan = (from: ProjectLiteral, to: ProjectLiteral, renames: readonly Rename[] = []): ContentPlanPart => {
  const [before, after] = [modelFrom(from), modelFrom(to)];
  return planJsonColumns({
    before,
    after,
    match: matchModels(before, after, renames, []),
    renames,
    decisions: NO_DECISIONS,
    dialect: getDialect('sqlite'),
  });
};

const BOTH = { seo: SEO, rows: ROWS };
const BEFORE = project(BOTH, { title: TEXT, text: TEXT }, { label: TEXT });

describe('the plan for JSON columns', () => {
  it('reads and changes nothing where nothing stored is concerned', () => {
    const fresh = { fresh: TEXT };
    const after = project(BOTH, { text: TEXT, title: TEXT, ...fresh }, { label: TEXT, ...fresh });

    const { statementsBefore, inspections } = plan(BEFORE, after);

    expect({ statementsBefore, inspections }).toEqual({ statementsBefore: [], inspections: [] });
  });

  it('rewrites only the columns whose components change, each in one statement', () => {
    const { statementsBefore, inspections } = plan(BEFORE, project(BOTH, {}, { label: TEXT }));

    expect(statementsBefore).toEqual([expect.stringMatching(/^UPDATE "articles" SET "seo" = .*;$/)]);
    expect(inspections).toHaveLength(1);
  });

  it('only reads where values may no longer fit', () => {
    const { statementsBefore, inspections } = plan(
      BEFORE,
      project(BOTH, { title: { ...TEXT, maxLength: 3 }, text: TEXT }, { label: TEXT }),
    );

    expect(statementsBefore).toEqual([]);
    expect(inspections).toHaveLength(1);
  });

  it('changes columns under the names they have after the renames', () => {
    const { statementsBefore } = plan(BEFORE, project({ head: SEO, rows: ROWS }, {}, { label: TEXT }), [
      { kind: 'column', table: 'articles', from: 'seo', to: 'head' },
    ]);

    expect(statementsBefore).toEqual([expect.stringMatching(/^UPDATE "articles" SET "head" = /)]);
  });

  it('counts columns that are dropped or replaced', () => {
    const { isCovered } = plan(
      BEFORE,
      project({ rows: { type: 'integer' } }, { title: TEXT, text: TEXT }, { label: TEXT }),
    );

    expect([
      isCovered?.({ kind: 'column', table: 'articles', column: 'seo' }),
      isCovered?.({ kind: 'type', table: 'articles', column: 'rows', from: 'Json', to: 'Int' }),
      isCovered?.({ kind: 'column', table: 'articles', column: 'title' }),
      isCovered?.({ kind: 'column', table: 'other', column: 'seo' }),
    ]).toEqual([true, true, false, false]);
  });
});
