import { planCode } from './code/plan-code.js';
import type { ContentPlanPart, ContentPlanRequest } from './content-plan.js';
import { planJsonColumns } from './plan-json-columns.js';
import { planLinks } from './plan-links.js';
import { planReferences } from './plan-references.js';
import { planRequired } from './plan-required.js';
import { planScalarColumns } from './plan-scalar-columns.js';
import { planVersionRows } from './plan-version-rows.js';

/** Plans what happens to the stored values where the content model changes. */
export function planContent(request: ContentPlanRequest): Required<ContentPlanPart> {
  // The code's part comes first: inspections look up what it has computed.
  const plans = [
    planCode,
    planScalarColumns,
    planJsonColumns,
    planLinks,
    planRequired,
    planVersionRows,
    planReferences,
  ];
  const parts = plans.map((plan): ContentPlanPart => plan(request));
  return {
    statementsBefore: parts.flatMap(({ statementsBefore = [] }) => statementsBefore),
    statementsAfter: parts.flatMap(({ statementsAfter = [] }) => statementsAfter),
    statementsLast: parts.flatMap(({ statementsLast = [] }) => statementsLast),
    isCovered: (change) => parts.some(({ isCovered }) => isCovered?.(change) === true),
    inspections: parts.flatMap(({ inspections = [] }) => inspections),
  };
}
