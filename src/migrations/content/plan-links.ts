import type { ContentPlanPart, ContentPlanRequest } from './content-plan.js';
import { classifyLinks } from './links/classify-links.js';
import { restoreLinksSql, saveLinksSql } from './links/link-sql.js';
import { spaceLinksSql } from './links/space-links.js';
import { planLinkTables } from './links/link-tables.js';
import { inspectLinks } from './links/inspect-links.js';

/**
 * Plans what happens to relations and media at the top level of content-types. Links whose storage changes
 * are saved before the tables change, and put back in their new form.
 */
export function planLinks(request: ContentPlanRequest): ContentPlanPart {
  const { before, after, renames } = request;
  const links = classifyLinks(request);
  const { clearing, isCovered } = planLinkTables(links, before, after, renames);
  const migrations = links.moved.map(({ migration }) => migration);
  return {
    statementsBefore: [...saveLinksSql(migrations), ...clearing],
    statementsLast: [
      ...restoreLinksSql(migrations),
      ...links.moved.flatMap((moved) => spaceLinksSql(after, moved.after.link, request.dialect)),
    ],
    isCovered,
    inspections: [inspectLinks({ ...links, before })],
  };
}
