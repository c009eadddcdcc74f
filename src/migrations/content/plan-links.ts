import type { ContentPlanPart, ContentPlanRequest } from './content-plan.js';

export function planLinks(_request: ContentPlanRequest): ContentPlanPart {
  return {
    statementsBefore: [],
    statementsAfter: [],
    accountedDrops: [],
    isCovered: () => false,
    surveys: [],
  };
}
