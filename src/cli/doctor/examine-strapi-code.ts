import type { Project } from '../../project/open-project.js';
import { isStrapiProject, reportProject } from '../../strapi/report/project-report.js';
import { printShare } from '../strapi/describe-check.js';
import { failed, ok, warning } from './check.js';
import type { Finding } from './check.js';

/** Tells how much of the code and plugins written for Strapi runs. Silent for projects without any. */
export async function examineStrapiCode({ root, strapiConfig, model }: Project): Promise<readonly Finding[]> {
  if (!isStrapiProject(root, strapiConfig)) return [];
  const report = reportProject(root, { config: strapiConfig, model });
  const plugins = report.plugins
    .filter(({ state }) => state === 'missing')
    .map(({ name, reason }) => ({ place: `plugin ${name}`, reason }));
  return [
    ok('strapi', printShare(report)),
    ...report.errors.map(({ place, reason }) =>
      failed('strapi', `${place}: ${reason}`, 'The server does not start without it. See docs/strapi.md.'),
    ),
    ...[...report.notRunning, ...plugins].map(({ place, reason }) =>
      warning('strapi', `${place} does not run: ${reason}`, 'See docs/strapi.md.'),
    ),
    ...report.warnings.map(({ place, reason }) =>
      warning('strapi', `${place}: ${reason}`, 'See docs/strapi.md.'),
    ),
  ];
}
