import type { MigrationDialect } from '../migration-dialect.js';
import type { Rename } from '../schema/rename-in-schema.js';
import { planCode } from './code/plan-code.js';
import type { ContentPlanPart, ContentTransition } from './content-plan.js';
import { matchModels } from './match-models.js';
import { planEditorial } from './plan-editorial.js';
import { planGrants } from './plan-grants.js';
import { planJsonColumns } from './plan-json-columns.js';
import { planLinks } from './plan-links.js';
import { planScalarColumns } from './plan-scalar-columns.js';
import { planVersionRows } from './plan-version-rows.js';

const NOTHING: Required<ContentPlanPart> = Object.freeze({
  statementsBefore: [],
  statementsAfter: [],
  statementsLast: [],
  accountedDrops: [],
  isCovered: () => false,
  surveys: [],
});

/**
 * Plans what happens to the stored values where the content model changes. Returns an empty plan without a
 * transition, as for migrations that are older than the content snapshots.
 */
export function planContent(
  transition: ContentTransition | null,
  renames: readonly Rename[],
  dialect: MigrationDialect,
): Required<ContentPlanPart> {
  if (transition === null) return NOTHING;
  const { before, after, decisions } = transition;
  const match = matchModels(before, after, renames, decisions.renames);
  const request = { before, after, match, renames, decisions, dialect };
  // The code's part comes first: surveys look up what it has computed.
  const plans = [
    planCode,
    planScalarColumns,
    planJsonColumns,
    planLinks,
    planVersionRows,
    planGrants,
    planEditorial,
  ];
  const parts = plans.map((plan) => plan(request));
  return {
    statementsBefore: parts.flatMap(({ statementsBefore }) => statementsBefore),
    statementsAfter: parts.flatMap(({ statementsAfter }) => statementsAfter),
    statementsLast: parts.flatMap(({ statementsLast = [] }) => statementsLast),
    accountedDrops: parts.flatMap(({ accountedDrops }) => accountedDrops),
    isCovered: (change) => parts.some((part) => part.isCovered(change)),
    surveys: parts.flatMap(({ surveys }) => surveys),
  };
}
